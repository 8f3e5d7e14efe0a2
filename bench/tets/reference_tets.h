// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// What the processor can do with the beam of scene S4 (peers.md) when nothing else is asked: tet_ref.cpp,
// eight lanes wide for AVX2.
#pragma once
#include <memory>

#include "bench/tets/beam_mesh.h"

namespace repose {

class ReferenceBeam {
 public:
  virtual ~ReferenceBeam() = default;
  virtual void frame(int substeps) = 0;  // of 1/60 s
  virtual double sag() const = 0;        // [m]
};

// E = 1e6 Pa, nu = .3, 1000 kg/m^3. Null on a processor without AVX2 and FMA.
std::unique_ptr<ReferenceBeam> makeReferenceBeam(const BeamShape& shape, int threads);

}  // namespace repose

// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// The beam of scene S4 (peers.md), and what the processor can do with it when nothing else is asked:
// tet_ref.cpp, eight lanes wide for AVX2.
#pragma once
#include <memory>

#include "scene/scene.h"

namespace repose {

// 2 m long, `along` x `across` x `across` cells of five tetrahedra, held at x = 0.
struct BeamShape {
  int along, across;
  int tets() const { return 5 * along * across * across; }
};
TetMesh makeBeam(const BeamShape& shape);

class ReferenceBeam {
 public:
  virtual ~ReferenceBeam() = default;
  virtual void frame(int substeps) = 0;  // of 1/60 s
  virtual double sag() const = 0;        // [m]
};

// E = 1e6 Pa, nu = .3, 1000 kg/m^3. Null on a processor without AVX2 and FMA.
std::unique_ptr<ReferenceBeam> makeReferenceBeam(const BeamShape& shape, int threads);

}  // namespace repose

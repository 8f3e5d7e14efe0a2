// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Pictures of caches, as numpy arrays and as PNG files.
#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.h"
#include "errors.h"
#include "mesh.h"
#include "parts.h"
#include "render/render_cache.h"

namespace repose_python {

namespace {

repose::RenderOptions optionsOf(const std::vector<int>& frames, int width, int height, int samples,
                                const std::string& color, const LoadedScene* scene,
                                const std::optional<std::vector<float>>& camera, int threads) {
  repose::RenderOptions options;
  options.frames = frames, options.width = width, options.height = height;
  options.attribute = color, options.threads = threads;
  if (samples > 0) options.samples = samples;
  if (scene) options.scene = scene->scene.get();
  if (camera) {
    if (camera->size() != 6 && camera->size() != 7)
      raiseBadInput(
          fmt::format("camera has {} numbers, but must have eye and target, and may have the angle of view",
                      camera->size()));
    const std::vector<float>& n = *camera;
    options.camera = repose::Camera{{n[0], n[1], n[2]}, {n[3], n[4], n[5]}};
    if (n.size() > 6) options.camera->fov = n[6];
  }
  return options;
}

nb::object picture(const std::string& cache, int frame, int width, int height, int samples,
                   const std::string& color, const LoadedScene* scene,
                   const std::optional<std::vector<float>>& camera, int threads) {
  const repose::RenderOptions options =
      optionsOf({frame}, width, height, samples, color, scene, camera, threads);
  repose::RenderReport report;
  std::vector<std::uint8_t> pixels;
  std::size_t columns = 0;
  repose::Status drawn;
  {
    const nb::gil_scoped_release others_may_run;
    drawn = repose::renderImages(cache, options, {}, report,
                                 [&](int, const repose::Image& image) -> repose::Status {
                                   pixels = repose::encodeSrgb(image);
                                   columns = static_cast<std::size_t>(image.width());
                                   return {};
                                 });
  }
  check(drawn);
  auto kept = std::make_shared<std::vector<std::uint8_t>>(std::move(pixels));
  const std::size_t shape[3] = {kept->size() / columns / 3, columns, 3};
  auto* owner = new std::shared_ptr<std::vector<std::uint8_t>>(kept);
  const nb::capsule capsule(
      owner, [](void* p) noexcept { delete static_cast<std::shared_ptr<std::vector<std::uint8_t>>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t>(kept->data(), 3, shape, capsule),
                  nb::rv_policy::reference);
}

std::vector<std::string> pictures(const std::string& cache, const std::string& out, bool sheet,
                                  const std::vector<int>& frames, int width, int height, int samples,
                                  const std::string& color, const LoadedScene* scene,
                                  const std::optional<std::vector<float>>& camera, int threads) {
  const repose::RenderOptions options =
      optionsOf(frames, width, height, samples, color, scene, camera, threads);
  repose::RenderReport report;
  std::optional<nb::python_error> raised;
  const auto progress = [&](int, int) {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) raised.emplace();
    return !raised;
  };
  repose::Status drawn;
  {
    const nb::gil_scoped_release others_may_run;
    drawn = (sheet ? repose::renderSheet : repose::renderCache)(cache, options, out, progress, report);
  }
  if (raised) throw *raised;
  check(drawn);
  return report.files;
}

}  // namespace

void bindRender(nb::module_& module) {
  module.def(
      "picture", picture, nb::arg("cache"), nb::arg("frame"), nb::arg("width"), nb::arg("height"),
      nb::arg("samples"), nb::arg("color"), nb::arg("scene").none(), nb::arg("camera").none(),
      nb::arg("threads"),
      nb::sig("def picture(cache: str, frame: int, width: int, height: int, samples: int, color: str, scene: "
              "LoadedScene | None, camera: list[float] | None, threads: int) -> "
              "numpy.typing.NDArray[numpy.uint8]"));
  module.def("pictures", pictures, nb::arg("cache"), nb::arg("out"), nb::arg("sheet"), nb::arg("frames"),
             nb::arg("width"), nb::arg("height"), nb::arg("samples"), nb::arg("color"),
             nb::arg("scene").none(), nb::arg("camera").none(), nb::arg("threads"));
}

}  // namespace repose_python

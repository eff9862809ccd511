#pragma once

#include "inspector/roofline/machine_profile.h"
#include "inspector/roofline/roofline_points.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::output {

/// Operations per second over operations per byte, both logarithmic, with the machine's limits for `threads`
/// threads, as SVG. Larger points took more time. Points without operations or bytes are not drawn: the
/// picture gives their number. Each point refers to its event in the containing page: data-e is
/// RooflinePoint::row.
[[nodiscard]] std::string rooflinePicture(const std::vector<inspector::RooflinePoint>& points,
                                          const inspector::MachineProfile& machine, std::size_t threads);

/// docs/reference/json_profiling.md, roofline.
[[nodiscard]] std::string rooflineJson(const std::vector<inspector::RooflinePoint>& points,
                                       const inspector::MachineProfile& machine, std::size_t threads);

}  // namespace et::output

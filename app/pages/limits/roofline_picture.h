#pragma once

#include "inspector/limits/machine_profile.h"
#include "inspector/limits/roofline_points.h"

#include <cstddef>
#include <string>
#include <vector>

namespace et::app {

/// Operations a second over operations a byte, both logarithmic, below what the machine can do with so many
/// threads, as SVG. Larger points took more of the time. Points without operations or bytes have no place in
/// it: the picture says how many these are. Each names its event to the page that it may stand in: data-e is
/// RooflinePoint::row.
[[nodiscard]] std::string rooflinePicture(const std::vector<inspector::RooflinePoint>& points,
                                          const inspector::MachineProfile& machine, std::size_t threads);

/// docs/json.md, "JSON of rooflines".
[[nodiscard]] inspector::report::Dict rooflineInfo(const std::vector<inspector::RooflinePoint>& points,
                                                   const inspector::MachineProfile& machine,
                                                   std::size_t threads);

}  // namespace et::app

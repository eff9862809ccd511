#pragma once

#include "inspector/limits/machine_profile.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// An operator in a roofline plot.
struct RooflinePoint {
    std::string name{};
    bool delegated = false;
    double operations = 0;
    double bytes = 0;
    double seconds = 0;                  ///< that it took
    double share = 0;                    ///< part (0 to 1) of all times
    std::optional<double> efficiency{};  ///< 0 to 1
    std::string boundBy{};
};

/// Operations a second over operations a byte, both logarithmic, below what the machine can do with so many
/// threads, as SVG. Larger points took more of the time. Points without operations or bytes have no place in
/// it: the picture says how many these are.
[[nodiscard]] std::string rooflinePicture(const std::vector<RooflinePoint>& points,
                                          const inspector::MachineProfile& machine, std::size_t threads);

/// docs/json.md, "JSON of rooflines".
[[nodiscard]] inspector::report::Dict rooflineInfo(const std::vector<RooflinePoint>& points,
                                                   const inspector::MachineProfile& machine,
                                                   std::size_t threads);

}  // namespace et::app

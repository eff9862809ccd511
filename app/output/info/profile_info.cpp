#include "app/output/cells.h"
#include "app/output/info/artifact_info.h"

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>

namespace et::output {
namespace {

using inspector::ProfileColumns;
using inspector::ProfiledOperator;
using inspector::ProfileUnit;

std::string unitName(ProfileUnit unit) {
    switch (unit) {
        case ProfileUnit::Nanoseconds:
            return "ns";
        case ProfileUnit::Cycles:
            return "cycles";
        case ProfileUnit::Share:
            return "share";
    }
    return {};
}

Dict columnInfo(const ProfileColumns& columns) {
    Dict info;
    for (const auto& [name, text] : columns) {
        info.emplace_back(name, text);
    }
    return info;
}

Dict operatorInfo(const ProfiledOperator& each) {
    const double total = std::accumulate(each.times.begin(), each.times.end(), 0.0);
    return {{"name", each.name},
            {"time", each.times.empty() ? Cell() : Cell(total / static_cast<double>(each.times.size()))},
            {"columns", columnInfo(each.columns)}};
}

}  // namespace

Dict profileInfo(const inspector::VendorProfile& profile) {
    List backends;
    for (const std::string_view backend : profile.backends) {
        backends.emplace_back(std::string(backend));
    }
    List operators;
    for (const ProfiledOperator& each : profile.operators) {
        operators.emplace_back(operatorInfo(each));
    }
    return {{"tool", std::string(profile.tool)},      {"backends", std::move(backends)},
            {"unit", unitName(profile.unit)},         {"runs", std::uint64_t{profile.runs()}},
            {"columns", columnInfo(profile.columns)}, {"operators", std::move(operators)}};
}

}  // namespace et::output

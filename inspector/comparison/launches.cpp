#include "inspector/comparison/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace et::inspector {
namespace {

constexpr double asPercent = 100;

/// Identity of an operator across launches; the number distinguishes equal ones.
using OperatorKey =
    std::tuple<std::string, OperatorKind, std::string, std::int64_t, std::int64_t, std::size_t>;

class OperatorKeys {
  public:
    OperatorKey keyOf(const OperatorTimes& times) {
        OperatorKey key{times.name, times.kind, times.backend, times.chain, times.instruction.value, 0};
        std::get<std::size_t>(key) = seen[key]++;
        return key;
    }

  private:
    std::map<OperatorKey, std::size_t> seen;
};

/// One method of all launches, appended launch by launch.
class JoinedMethod {
  public:
    explicit JoinedMethod(const MethodTimes& first)
        : joined{.method = first.method, .totalMeasured = first.totalMeasured} {}

    void add(const MethodTimes& times, std::size_t launch) {
        append(joined.total, joined.launches, times.total, launch);
        OperatorKeys keys;
        for (const OperatorTimes& each : times.operators) {
            const auto [found, isNew] = places.try_emplace(keys.keyOf(each), joined.operators.size());
            if (isNew) {
                joined.operators.push_back(each);
                joined.operators.back().samples.clear();
            }
            OperatorTimes& whole = joined.operators[found->second];
            append(whole.samples, whole.launches, each.samples, launch);
        }
    }

    MethodTimes take(std::size_t launches) {
        joined.launches.resize(launches);
        for (OperatorTimes& each : joined.operators) {
            each.launches.resize(launches);
        }
        return std::move(joined);
    }

  private:
    /// Earlier launches without it count zero samples.
    static void append(std::vector<double>& all, std::vector<std::size_t>& counts,
                       const std::vector<double>& samples, std::size_t launch) {
        counts.resize(launch + 1);
        counts[launch] = samples.size();
        all.insert(all.end(), samples.begin(), samples.end());
    }

    MethodTimes joined;
    std::map<OperatorKey, std::size_t> places;
};

}  // namespace

Measurement joinLaunches(std::span<const Measurement> launches) {
    Measurement joined = launches.front();
    std::vector<JoinedMethod> methods;
    // A method that ran in two ways occurs twice.
    std::map<std::pair<std::string, std::size_t>, std::size_t> places;
    for (std::size_t launch = 0; launch < launches.size(); ++launch) {
        std::map<std::string, std::size_t> seen;
        for (const MethodTimes& each : launches[launch].methods) {
            const std::size_t which = seen[each.method]++;
            const auto [found, isNew] = places.try_emplace({each.method, which}, methods.size());
            if (isNew) {
                methods.emplace_back(each);
            }
            methods[found->second].add(each, launch);
        }
    }
    joined.methods.clear();
    for (JoinedMethod& each : methods) {
        joined.methods.push_back(each.take(launches.size()));
    }
    return joined;
}

bool OtherLoad::isMuch() const {
    constexpr double muchWaiting = 0.05;
    constexpr double muchStolen = 0.02;
    constexpr double muchChange = 0.1;
    return waiting > muchWaiting || stolen > muchStolen || frequencyChange.value_or(0) > muchChange;
}

std::string text(const OtherLoad& load) {
    std::string line = fmt::format(
        "threads waited for a CPU for {:.1f} % of the time and were preempted {} times; {:.1f} % of the CPU "
        "time was stolen",
        load.waiting * asPercent, load.involuntarySwitches, load.stolen * asPercent);
    if (load.frequencyChange) {
        line += fmt::format("; the frequency changed by {:.0f} %", *load.frequencyChange * asPercent);
    }
    return line;
}

}  // namespace et::inspector

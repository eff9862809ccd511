#include "app/tasks/compare/race.h"

#include "app/tasks/base/interruption.h"
#include "inspector/comparison/statistics.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

namespace et::tasks {
namespace {

/// Bounds on the rounds of an automatic warm-up.
constexpr std::size_t minRounds = 8;
constexpr std::size_t maxRounds = 200;

class SecondsSince {
  public:
    [[nodiscard]] double passed() const {
        return std::chrono::duration<double>(Clock::now() - start).count();
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start = Clock::now();
};

}  // namespace

core::Result<> Race::load() {
    watch.begin("load", lanes.size());
    for (const std::size_t each : drawnOrder()) {
        ET_TRY(lanes[each].load());
        watch.step();
    }
    return {};
}

core::Result<> Race::warmUp(const WarmUp& limits) {
    watch.begin("warm-up", limits.rounds.value_or(minRounds));
    const SecondsSince start;
    for (;;) {
        const bool slow = start.passed() > limits.seconds;
        steady = !limits.rounds && timesAreSteady();
        const bool enough = limits.rounds
                                ? warmup >= *limits.rounds
                                : steady || warmup >= maxRounds || (slow && warmup >= limits.minSlowRounds);
        if (enough || InterruptionGuard::requested()) {
            return {};
        }
        ET_TRY(round(Recording::Off));
        ++warmup;
    }
}

core::Result<> Race::measure(const CountedRounds& wanted) {
    settling = settlingRounds();
    watch.begin("run", wanted.rounds + settling);
    const SecondsSince start;
    while (recorded < wanted.rounds + settling && !InterruptionGuard::requested()) {
        if (wanted.seconds && recorded > settling && start.passed() > *wanted.seconds) {
            break;
        }
        ET_TRY(round(Recording::On));
        ++recorded;
    }
    return {};
}

/// Long executions need no settling.
std::size_t Race::settlingRounds() const {
    constexpr std::size_t usual = 2;
    constexpr double longEnough = 1e8;  // nanoseconds
    const bool isSlow = std::ranges::all_of(
        times, [](const std::vector<double>& each) { return !each.empty() && each.back() > longEnough; });
    return isSlow ? 0 : usual;
}

core::Result<std::vector<ModelProcessResult>> Race::finish() {
    std::vector<ModelProcessResult> results;
    for (ModelProcess& each : lanes) {
        ET_ASSIGN(ModelProcessResult result, each.finish());
        results.push_back(std::move(result));
    }
    return results;
}

std::vector<std::span<const double>> Race::counted() const {
    std::vector<std::span<const double>> spans;
    for (const std::vector<double>& each : times) {
        spans.push_back(std::span(each).subspan(std::min(each.size(), warmup + settling)));
    }
    return spans;
}

std::vector<std::size_t> Race::drawnOrder() {
    std::vector<std::size_t> order(lanes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(random() % i)]);
    }
    return order;
}

core::Result<> Race::round(Recording recording) {
    for (const std::size_t each : drawnOrder()) {
        ET_ASSIGN(const std::uint64_t time, lanes[each].execute(recording));
        times[each].push_back(static_cast<double>(time));
    }
    watch.step();
    return {};
}

bool Race::timesAreSteady() const {
    return warmup >= minRounds && std::ranges::all_of(times, [](const std::vector<double>& each) {
               return inspector::steadyFrom(each).has_value();
           });
}

}  // namespace et::tasks

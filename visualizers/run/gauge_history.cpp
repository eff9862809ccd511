#include "visualizers/run/gauge_history.h"

#include <algorithm>
#include <utility>

namespace et::visualizers {

namespace {

void join(ExecutionTimes& times, const ExecutionTimes& more) {
    if (more.executions == 0) {
        return;
    }
    if (times.executions == 0) {
        times = more;
        return;
    }
    const auto before = static_cast<double>(times.executions);
    const auto added = static_cast<double>(more.executions);
    times.average = (times.average * before + more.average * added) / (before + added);
    times.executions += more.executions;
    times.last = more.last;
    times.least = std::min(times.least, more.least);
    times.most = std::max(times.most, more.most);
}

/// For the device, the later reading is used for both.
void join(GaugeSample& sample, GaugeSample more) {
    sample.seconds = more.seconds;
    join(sample.times, more.times);
    if (more.device) {
        sample.device = std::move(more.device);
    }
}

}  // namespace

void GaugeHistory::add(GaugeSample sample) {
    join(all, sample.times);
    if (sample.device) {
        newest = sample.device;
        throttledBefore = throttledBefore.value_or(sample.device->throttled);
    }
    if (pending > 0 && pending < moments) {
        join(kept.back(), std::move(sample));
        ++pending;
        return;
    }
    if (kept.size() == maxSamples) {
        halve();
    }
    kept.push_back(std::move(sample));
    pending = 1;
}

void GaugeHistory::halve() {
    for (std::size_t i = 0; i < kept.size() / 2; ++i) {
        GaugeSample both = std::move(kept[2 * i]);
        join(both, std::move(kept[2 * i + 1]));
        kept[i] = std::move(both);
    }
    kept.resize(kept.size() / 2);
    moments *= 2;
}

std::uint64_t GaugeHistory::slowdowns() const {
    return newest && throttledBefore ? newest->throttled - std::min(newest->throttled, *throttledBefore) : 0;
}

}  // namespace et::visualizers

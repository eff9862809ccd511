#include "app/tasks/soak/value_watch.h"

#include "runtime/core/event_names.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

namespace et::tasks {
namespace {

using core::Tensor;

std::size_t hashOf(const Tensor& tensor) {
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(tensor.raw()), tensor.bytes()});
}

/// Index of an element from its position in memory.
std::vector<std::int64_t> indexOf(std::size_t element, const ExecutionRecord::Seen& seen) {
    std::vector<std::int64_t> index(seen.sizes.size());
    auto left = static_cast<std::int64_t>(element);
    std::vector<std::size_t> outermostFirst(seen.sizes.size());
    for (std::size_t i = 0; i < outermostFirst.size(); ++i) {
        outermostFirst[i] = i;
    }
    std::ranges::stable_sort(outermostFirst, std::ranges::greater{},
                             [&](std::size_t i) { return std::pair(seen.strides[i], seen.sizes[i]); });
    for (const std::size_t dimension : outermostFirst) {
        const std::int64_t stride = std::max<std::int64_t>(seen.strides[dimension], 1);
        index[dimension] = std::min(left / stride, seen.sizes[dimension] - 1);
        left -= index[dimension] * stride;
    }
    return index;
}

/// Pattern shared by the indices of all differing elements.
class Pattern {
  public:
    void add(const std::vector<std::int64_t>& index) {
        if (low.empty()) {
            low = high = index;
            return;
        }
        for (std::size_t i = 0; i < index.size(); ++i) {
            low[i] = std::min(low[i], index[i]);
            high[i] = std::max(high[i], index[i]);
        }
    }
    [[nodiscard]] std::string text(const std::vector<std::int64_t>& sizes) const {
        std::string text;
        for (std::size_t i = 0; i < low.size(); ++i) {
            if (sizes[i] > 1 && (low[i] > 0 || high[i] < sizes[i] - 1)) {
                text += fmt::format(
                    "{}dimension {} at {}", text.empty() ? "" : ", ", i,
                    low[i] == high[i] ? std::to_string(low[i]) : fmt::format("{} to {}", low[i], high[i]));
            }
        }
        return text.empty() ? text : text + " only";
    }

  private:
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
};

ValueDifference differenceOf(const ExecutionRecord::Seen& seen, const Tensor& tensor) {
    ValueDifference out{.site = seen.site, .elements = static_cast<std::uint64_t>(tensor.numel())};
    const std::span<const std::byte> now(tensor.raw(), tensor.bytes());
    if (seen.bytes.size() != now.size() || seen.elementBytes == 0) {
        return out;
    }
    Pattern pattern;
    for (std::size_t at = 0; at < now.size(); at += seen.elementBytes) {
        if (std::memcmp(now.data() + at, seen.bytes.data() + at, seen.elementBytes) != 0) {
            const auto index = indexOf(at / seen.elementBytes, seen);
            if (out.differing++ == 0) {
                out.first = index;
            }
            pattern.add(index);
        }
    }
    out.pattern = pattern.text(seen.sizes);
    return out;
}

}  // namespace

void ValueWatch::recordInto(ExecutionRecord& record) {
    recording = &record;
    wanted = nullptr;
    last = {};
    found.reset();
}

void ValueWatch::compareWith(const ExecutionRecord& record) {
    recording = nullptr;
    wanted = &record;
    next = 0;
    last = {};
    found.reset();
}

core::TraceName ValueWatch::name(std::string_view text) {
    names.emplace_back(text);
    if (inner != nullptr) {
        return inner->name(text);  // it assigns the same ids
    }
    return core::TraceName(static_cast<std::uint32_t>(names.size() - 1));
}

void ValueWatch::profile(core::TraceName event, const core::TraceIds& ids, std::uint64_t start,
                         std::uint64_t end, core::Bytes metadata) {
    if (inner != nullptr) {
        inner->profile(event, ids, start, end, metadata);
    }
}

ValueSite ValueWatch::siteOf(core::TraceName event, const core::TraceIds& ids, bool methodOutput) {
    std::string_view name = names[event.value];
    if (name.starts_with(core::event_name::kernelPrefix)) {
        name.remove_prefix(core::event_name::kernelPrefix.size());
    }
    ValueSite site{.chain = methodOutput ? -1 : ids.chain,
                   .instruction = methodOutput ? -1 : ids.instruction,
                   .name = methodOutput ? "output" : std::string(name)};
    site.position = site.chain == last.chain && site.instruction == last.instruction && site.name == last.name
                        ? last.position + 1
                        : 0;
    last = site;
    return site;
}

void ValueWatch::debug(core::TraceName event, const core::TraceIds& ids, core::Value& value,
                       bool methodOutput) {
    const ValueSite site = siteOf(event, ids, methodOutput);
    if (const auto* const tensor = value.as<Tensor>()) {
        take(site, *tensor);
    } else if (const auto tensors = value.tensors(true)) {
        for (const Tensor* const each : *tensors) {
            if (each != nullptr) {
                take(site, *each);
            }
        }
    }
}

void ValueWatch::tapSite(const core::TapSite& next) {
    tapped = {.name = std::string(next.nodeKind), .inner = next.value, .handle = next.debugHandle};
}

void ValueWatch::tap(const core::TraceIds& ids, core::Value& value) {
    tapped.chain = ids.chain;
    tapped.instruction = ids.instruction;
    if (const auto* const tensor = value.as<Tensor>()) {
        take(tapped, *tensor);
    }
}

void ValueWatch::take(const ValueSite& site, const Tensor& tensor) {
    if (wanted != nullptr) {
        compare(site, tensor);
    }
    if (recording == nullptr) {
        return;
    }
    ExecutionRecord::Seen seen{.site = site,
                               .hash = hashOf(tensor),
                               .sizes = {tensor.sizes().begin(), tensor.sizes().end()},
                               .strides = {tensor.strides().begin(), tensor.strides().end()},
                               .elementBytes = tensor.elementSize(),
                               .bytes = {}};
    if (tensor.bytes() <= room) {
        room -= tensor.bytes();
        seen.bytes.assign(tensor.raw(), tensor.raw() + tensor.bytes());
    }
    recording->values.push_back(std::move(seen));
    noteKinds(site, tensor);
}

void ValueWatch::noteKinds(const ValueSite& site, const Tensor& tensor) {
    if (std::ranges::all_of(recording->origins, [](const auto& each) { return each.has_value(); })) {
        return;
    }
    const KindCounts counts = countKinds(tensor);
    for (std::size_t i = 0; i < numberKinds; ++i) {
        if (!recording->origins[i] && counts.counts[i] > 0) {
            recording->origins[i] =
                KindOrigin{.kind = static_cast<NumberKind>(i), .site = site, .counts = counts};
        }
    }
}

void ValueWatch::compare(const ValueSite& site, const Tensor& tensor) {
    const std::size_t at = next++;
    if (found) {
        return;
    }
    if (at >= wanted->values.size() || wanted->values[at].site != site) {
        found = ValueDifference{.site = site, .pattern = "the execution took a different path"};
        return;
    }
    const ExecutionRecord::Seen& seen = wanted->values[at];
    const bool sameShape = std::ranges::equal(seen.sizes, tensor.sizes());
    if (!sameShape || seen.hash != hashOf(tensor)) {
        found = differenceOf(seen, tensor);
    }
}

}  // namespace et::tasks

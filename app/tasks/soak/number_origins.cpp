#include "app/tasks/soak/number_origins.h"

#include "etdump/trace.h"
#include "inspector/join/event_blocks.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/event_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using core::Result;

constexpr std::uint64_t mostValueBytes = std::uint64_t{4} << 30U;

/// Keeps the first occurrence of each kind.
class FirstOfKinds {
  public:
    void look(const ValueSite& site, const core::Tensor& tensor) {
        ++out.values;
        const KindCounts counts = countKinds(tensor);
        for (std::size_t i = 0; i < numberKinds; ++i) {
            const auto kind = static_cast<NumberKind>(i);
            if (counts[kind] > 0 && !std::ranges::contains(out.origins, kind, &KindOrigin::kind)) {
                out.origins.push_back({.kind = kind, .site = site, .counts = counts});
            }
        }
    }
    TracedOrigins take() { return std::move(out); }

  private:
    TracedOrigins out;
};

void lookAt(const inspector::RuntimeCall& call, FirstOfKinds& first) {
    std::string_view name = call.name;
    if (name.starts_with(core::event_name::kernelPrefix)) {
        name.remove_prefix(core::event_name::kernelPrefix.size());
    }
    ValueSite site{.chain = call.chain, .instruction = call.instruction, .name = std::string(name)};
    for (const backends::reference::ReferenceValue& value : call.values) {
        if (const auto* const tensor = std::get_if<backends::reference::ReferenceTensor>(&value.content)) {
            first.look(site, tensor->view);
        }
        ++site.position;
    }
}

}  // namespace

Result<TracedOrigins> tracedOrigins(const std::filesystem::path& trace,
                                    const std::filesystem::path& debugBuffer) {
    ET_ASSIGN(auto events, etdump::Trace::open(trace));
    ET_ASSIGN(auto buffer, core::MappedFile::open(debugBuffer));
    ET_ASSIGN(const auto blocks,
              inspector::EventBlocks::build(std::move(events), nullptr, std::move(buffer)));
    ET_ASSIGN(const inspector::RuntimeValues values, inspector::valuesOf(*blocks, mostValueBytes));
    FirstOfKinds first;
    std::vector<bool> isSeen(values.taps.size());
    const auto lookInside = [&](const auto& isMeant) {
        for (std::size_t i = 0; i < values.taps.size(); ++i) {
            const inspector::TappedValue& tap = values.taps[i];
            if (!isSeen[i] && isMeant(tap)) {
                isSeen[i] = true;
                first.look({.chain = tap.chain, .instruction = tap.instruction, .name = tap.kind},
                           tap.tensor.view);
            }
        }
    };
    for (const inspector::RuntimeCall& call : values.calls) {
        // Values inside a delegate exist before its call ends.
        lookInside([&](const inspector::TappedValue& tap) {
            return tap.chain == call.chain && tap.instruction == call.instruction;
        });
        lookAt(call, first);
    }
    lookInside([](const inspector::TappedValue&) { return true; });
    return first.take();
}

}  // namespace et::tasks

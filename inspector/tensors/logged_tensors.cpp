// Lists values logged by the runtime during a trace.
#include "inspector/events/readable_name.h"
#include "inspector/tensor_files/debug_tensor.h"
#include "inspector/tensors/catalog_builder.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using etdump::DebugTensor;

TensorLocation placeOf(const DebugTensor& logged, const core::MappedFile& buffer) {
    if (logged.sizes.size() > core::maxDims) {
        return MissingLocation{fmt::format("{} dimensions, max {}", logged.sizes.size(), core::maxDims)};
    }
    const auto bytes = debugTensorBytes(logged, buffer);
    if (!bytes) {
        return MissingLocation{bytes.error()};
    }
    return DenseLocation{.data = *bytes,
                         .scalarType = logged.scalarType,
                         .sizes = logged.sizes,
                         .dimOrder = dimOrderOf(logged)};
}

class LoggedLister {
  public:
    LoggedLister(CatalogContent& into, const EventBlocks& from) : content(into), blocks(from) {}

    void list(const Block& block) {
        for (const Event& event : block.events) {
            const CatalogTensor first{
                .origin = TensorOrigin::Logged,
                .name = events::readableName(block, event),
                .place = fmt::format("{}: {}", events::readableBlock(block), event.name),
                .type = {},
                .method = block.method,
                .module = events::readableModule(block, event),
                .instructions = {event.instruction},
                .handles = {event.handles.begin(), event.handles.end()}};
            addAll(first, event.debugEvents.first(event.firstRunDebugEvents));
        }
        addAll({.origin = TensorOrigin::Logged,
                .name = "output",
                .place = fmt::format("{}: output of the method", events::readableBlock(block)),
                .type = {},
                .method = block.method},
               std::span(block.programOutputs).first(block.firstRunOutputs));
    }

  private:
    void addAll(const CatalogTensor& first, std::span<const etdump::EventIndex> events) {
        std::vector<const DebugTensor*> logged;
        for (const etdump::EventIndex each : events) {
            const auto& value = blocks.trace().debugValue(each).value;
            if (const auto* const one = std::get_if<DebugTensor>(&value)) {
                logged.push_back(one);
            } else if (const auto* const list = std::get_if<std::vector<DebugTensor>>(&value)) {
                std::ranges::transform(*list, std::back_inserter(logged),
                                       [](const DebugTensor& in) { return &in; });
            }
        }
        for (std::size_t i = 0; i < logged.size(); ++i) {
            CatalogTensor tensor = first;
            tensor.type = fmt::format("{} {}", core::scalarTypeName(logged[i]->scalarType),
                                      core::sizesText(logged[i]->sizes));
            const auto bytes = core::tensorBytes(logged[i]->scalarType, logged[i]->sizes);
            tensor.bytes = static_cast<std::uint64_t>(bytes.value_or(0));
            tensor.place += logged.size() > 1 ? fmt::format(", output {}", i) : "";
            content.add(std::move(tensor), placeOf(*logged[i], *blocks.debugBuffer()));
        }
    }

    CatalogContent& content;
    const EventBlocks& blocks;
};

}  // namespace

void addLogged(CatalogContent& content, const CatalogSources& sources) {
    const EventBlocks* const blocks = sources.session->blocks.get();
    if (blocks == nullptr || blocks->debugBuffer() == nullptr) {
        return;
    }
    LoggedLister lister(content, *blocks);
    for (const Block& block : blocks->blocks()) {
        lister.list(block);
    }
}

}  // namespace et::inspector

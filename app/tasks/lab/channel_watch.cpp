#include "app/tasks/lab/channel_watch.h"

#include "backends/lowering/edge_method.h"

#include <algorithm>

namespace et::tasks {

using backends::reference::ReferenceTensor;
using backends::reference::ReferenceValue;

backends::reference::NodeObserver ChannelWatch::observer() {
    return [this](const etrecord::ExportedGraph& graph, etrecord::NodeIndex node,
                  std::span<const ReferenceValue> outputs) -> core::Result<> {
        const auto& names = graph.nodes[node].outputs;
        for (std::size_t i = 0; i < names.size() && i < outputs.size(); ++i) {
            const auto found = watched.find(backends::lowering::valueName(&names[i]));
            const auto* tensor = outputs[i].as<ReferenceTensor>();
            if (found != watched.end() && tensor != nullptr &&
                tensor->view.dtype() == core::ScalarType::Float && tensor->view.dim() >= 2) {
                note(found->second, tensor->view);
            }
        }
        return {};
    };
}

void ChannelWatch::note(Watched& into, const core::Tensor& tensor) {
    const std::size_t axis = into.images ? 1 : tensor.dim() - 1;
    const auto count = static_cast<std::size_t>(tensor.size(axis));
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < tensor.dim(); ++i) {
        inner *= static_cast<std::size_t>(tensor.size(i));
    }
    into.channels.resize(std::max(into.channels.size(), count));
    const auto* numbers = tensor.data<float>();
    const auto all = static_cast<std::size_t>(tensor.numel());
    for (std::size_t i = 0; i < all; ++i) {
        ChannelNumbers& channel = into.channels[i / inner % count];
        channel.range = {std::min(channel.range.low, numbers[i]), std::max(channel.range.high, numbers[i])};
        channel.sum += static_cast<double>(numbers[i]);
        ++channel.count;
    }
}

const std::vector<ChannelNumbers>& ChannelWatch::of(std::string_view value) const {
    static const std::vector<ChannelNumbers> none;
    const auto found = watched.find(value);
    return found == watched.end() ? none : found->second.channels;
}

}  // namespace et::tasks

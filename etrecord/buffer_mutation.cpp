#include "etrecord/buffer_mutation.h"

#include <algorithm>

namespace et::etrecord {

const InputSpec* mutatedBuffer(const ExportedGraph& graph, const OutputSpec& output) {
    const auto found = std::ranges::find_if(graph.inputSpecs, [&](const InputSpec& input) {
        return output.kind == "buffer_mutation" && input.kind == "buffer" && input.target == output.target;
    });
    return found == graph.inputSpecs.end() ? nullptr : &*found;
}

bool isMutatedBuffer(const ExportedGraph& graph, const InputSpec& input) {
    return std::ranges::any_of(graph.outputSpecs, [&](const OutputSpec& output) {
        return output.kind == "buffer_mutation" && input.kind == "buffer" && output.target == input.target;
    });
}

bool hasMutations(const ExportedGraph& graph) {
    return std::ranges::any_of(graph.outputSpecs, [](const OutputSpec& spec) {
        return spec.kind != "user_output" && spec.kind != "token";
    });
}

}  // namespace et::etrecord

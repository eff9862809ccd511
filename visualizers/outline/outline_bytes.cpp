#include "visualizers/outline/outline_bytes.h"

#include "inspector/memory/memory_timeline.h"
#include "runtime/core/event_names.h"

#include <map>

namespace et::visualizers {

namespace {

/// Bytes by instruction of the method's first chain.
using BytesByInstruction = std::map<core::InstructionId, std::uint64_t>;

BytesByInstruction bytesOf(const inspector::MemoryTimeline& memory) {
    BytesByInstruction bytes;
    for (const inspector::PlannedTensor& tensor : memory.tensors) {
        if (tensor.producer && tensor.producer->chain == 0) {
            bytes[tensor.producer->instruction] += tensor.bytes;
        }
    }
    return bytes;
}

/// True for the call of a kernel or delegate, which is an instruction of the program; false for events around
/// or inside it.
bool isInstruction(const inspector::Event& event) {
    return event.chain == 0 && !event.delegated && event.name != core::event_name::operatorCall;
}

const program::Method* methodOf(const inspector::Session& session, std::string_view name) {
    if (session.program == nullptr) {
        return nullptr;
    }
    const auto& methods = session.program->methods;
    return name.empty() && methods.size() == 1 ? &methods.front() : session.program->findMethod(name);
}

}  // namespace

std::vector<std::uint64_t> writtenBytes(const inspector::Session& session, const FlameScene& scene) {
    const inspector::Block& block = scene.blocks().blocks()[scene.tree().block];
    const program::Method* const method = methodOf(session, block.method);
    const auto memory =
        method == nullptr
            ? std::nullopt
            : std::optional(inspector::MemoryTimeline::build(*method, session.program->namedData));
    if (!memory || !*memory) {
        return {};
    }
    BytesByInstruction left = bytesOf(**memory);
    const auto& nodes = scene.tree().nodes;
    std::vector<std::uint64_t> written(nodes.size(), 0);
    for (std::size_t i = nodes.size(); i-- > 0;) {
        for (const std::size_t event : nodes[i].events) {
            const auto bytes =
                isInstruction(block.events[event]) ? left.find(block.events[event].instruction) : left.end();
            if (bytes != left.end()) {
                written[i] += bytes->second;
                left.erase(bytes);  // once
            }
        }
        if (nodes[i].parent) {
            written[*nodes[i].parent] += written[i];
        }
    }
    return written;
}

}  // namespace et::visualizers

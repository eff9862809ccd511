#include "visualizers/outline/outline_bytes.h"

#include "etdump/trace.h"
#include "inspector/memory/memory_timeline.h"
#include "runtime/core/event_names.h"
#include "runtime/core/scalar_type.h"

#include <algorithm>
#include <map>
#include <optional>
#include <variant>

namespace et::visualizers {

namespace {

struct InstructionBytes {
    std::uint64_t bytes = 0;
    bool isUpperBound = false;
};
/// By instruction of the method's first chain.
using BytesByInstruction = std::map<core::InstructionId, InstructionBytes>;

bool isDynamic(const program::Method& method, program::ValueId value) {
    const auto* tensor = method.value(value).as<program::TensorInfo>();
    return tensor != nullptr && tensor->dynamism != program::ShapeDynamism::Static;
}

BytesByInstruction bytesOf(const program::Method& method, const inspector::MemoryTimeline& memory) {
    BytesByInstruction bytes;
    for (const inspector::PlannedTensor& tensor : memory.tensors) {
        if (tensor.producer && tensor.producer->chain == 0) {
            InstructionBytes& of = bytes[tensor.producer->instruction];
            of.bytes += tensor.bytes;
            of.isUpperBound = of.isUpperBound || isDynamic(method, tensor.value);
        }
    }
    return bytes;
}

/// Bytes of the outputs that the first run logged, which are the last values of a delegate call and the only
/// ones of a kernel call; nothing if it did not log them all.
std::optional<std::uint64_t> loggedBytes(const etdump::Trace& trace, const inspector::Event& event) {
    const auto logged = event.debugEvents.first(event.firstRunDebugEvents);
    const bool isDelegate = event.name == core::event_name::delegateCall;
    const auto outputs = static_cast<std::size_t>(std::max<std::int64_t>(event.outputCount.value_or(0), 0));
    if (logged.empty() || (isDelegate && (outputs == 0 || outputs > logged.size()))) {
        return std::nullopt;
    }
    std::uint64_t total = 0;
    for (const etdump::EventIndex each : isDelegate ? logged.last(outputs) : logged) {
        const auto* tensor = std::get_if<etdump::DebugTensor>(&trace.debugValue(each).value);
        const auto bytes =
            tensor == nullptr ? std::nullopt : core::tensorBytes(tensor->scalarType, tensor->sizes);
        if (!bytes) {
            return std::nullopt;
        }
        total += static_cast<std::uint64_t>(*bytes);
    }
    return total;
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

WrittenBytes writtenBytes(const inspector::Session& session, const FlameScene& scene) {
    const inspector::Block& block = scene.blocks().blocks()[scene.tree().block];
    const program::Method* const method = methodOf(session, block.method);
    const auto memory = method == nullptr
                            ? std::nullopt
                            : std::optional(inspector::MemoryTimeline::build(*session.program, *method));
    if (!memory || !*memory) {
        return {};
    }
    BytesByInstruction left = bytesOf(*method, **memory);
    const auto& nodes = scene.tree().nodes;
    WrittenBytes written{.byNode = std::vector<std::uint64_t>(nodes.size(), 0),
                         .isUpperBound = std::vector<bool>(nodes.size(), false)};
    for (std::size_t i = nodes.size(); i-- > 0;) {
        for (const std::size_t index : nodes[i].events) {
            const inspector::Event& event = block.events[index];
            const auto planned = isInstruction(event) ? left.find(event.instruction) : left.end();
            if (planned != left.end()) {
                const auto logged =
                    planned->second.isUpperBound ? loggedBytes(scene.blocks().trace(), event) : std::nullopt;
                written.byNode[i] += logged.value_or(planned->second.bytes);
                written.isUpperBound[i] =
                    written.isUpperBound[i] || (planned->second.isUpperBound && !logged);
                left.erase(planned);  // once
            }
        }
        if (const auto parent = nodes[i].parent) {
            written.byNode[*parent] += written.byNode[i];
            written.isUpperBound[*parent] = written.isUpperBound[*parent] || written.isUpperBound[i];
        }
    }
    return written;
}

}  // namespace et::visualizers

// Fuzzes delegate metadata of events and exporters' Python stacks of operators: arbitrary texts, parsed if
// possible.
#include "inspector/join/handle_resolver.h"
#include "inspector/names/python_stack.h"
#include "tests/fuzz/support/byte_source.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

namespace {

volatile std::size_t sink = 0;

/// Reads the stack that a program stores for an instruction.
void readStack(et::fuzz::ByteSource source) {
    et::program::Method method;
    et::program::Chain& chain = method.chains.emplace_back();
    chain.stackTraces.resize(1 + source.below(2));
    for (std::size_t count = source.below(5); count > 0; --count) {
        chain.stackTraces[0].push_back({.file = source.text(9),
                                        .line = source.take<std::int16_t>(),
                                        .function = source.text(5),
                                        .context = source.text(9)});
    }
    const et::core::InstructionId instruction{source.take<std::int8_t>()};
    const auto frames = et::inspector::parseFrames(method, instruction);
    et::fuzz::require(frames.size() == (instruction.value == 0 ? chain.stackTraces[0].size() : 0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span(data, size));
    if (const auto handles = et::inspector::join::detail::metadataHandles(bytes)) {
        sink = handles->size();
    }
    readStack({data, size});
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto frames = et::inspector::parseFrames(text);
    et::fuzz::require(et::inspector::ownFrame(frames).has_value() == !frames.empty());
    et::etrecord::Node node;
    node.stackTrace = text;
    const et::etrecord::Node* const nodes[] = {&node, &node};
    et::fuzz::require(et::inspector::stacksOf(nodes).size() == (frames.empty() ? 0U : 1U));
    for (const et::inspector::PythonFrame& frame : frames) {
        // These must be views into the text.
        for (const std::string_view part : {frame.path, frame.function, frame.code}) {
            et::fuzz::require(part.empty() ||
                              (part.data() >= text.data() && part.end() <= text.data() + text.size()));
        }
        sink = sink + (et::inspector::isLibrary(frame.path) ? 1U : 0U);
    }
    return 0;
}

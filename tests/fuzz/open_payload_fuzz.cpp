// Fuzzes describing payloads of backends that cannot run here: bytes of the target's own compiler, or a
// program whose delegates are described.
#include "backends/builtin.h"
#include "backends/payload_contents.h"
#include "bundled_program/bundle.h"
#include "runtime/executor/no_named_data.h"
#include "runtime/program/program.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

namespace {

using et::core::Bytes;

constexpr std::string_view backendName = ET_FUZZED_BACKEND;

volatile std::uint64_t sink = 0;

/// Checks that a graph's nodes are in execution order, whatever the payload says.
void check(const et::core::ModelGraph& graph) {
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        for (const et::core::GraphValueId input : graph.nodes()[i].inputs) {
            const auto producer = graph.value(input).producer;
            if (producer && producer->value >= i) {
                std::abort();
            }
        }
    }
    for (const et::core::GraphValue& value : graph.values()) {
        for (const std::byte each : value.data) {
            sink = sink + std::to_integer<std::uint64_t>(each);
        }
    }
}

/// Checks that each byte of the payload, and of its parts, is counted once.
void checkContents(const et::program::Delegate& delegate) {
    const et::backends::ListedContents contents =
        et::backends::listedContents(delegate, et::executor::NoNamedData());
    bool adds = contents.bytes.total() == delegate.payload.size();
    for (const et::backends::ListedPart& each : contents.parts) {
        adds = adds && each.bytes.total() == each.part.data.size();
        for (const std::byte byte : each.part.data) {
            sink = sink + std::to_integer<std::uint64_t>(byte);
        }
    }
    if (!adds) {
        std::abort();
    }
}

void describe(Bytes payload) {
    const auto all = et::backends::describable();
    const auto backend = std::ranges::find(all, backendName, &et::executor::Backend::name);
    if (backend == all.end()) {
        std::abort();
    }
    const et::program::Delegate delegate{
        .backend = backendName, .payload = payload, .segment = std::nullopt, .compileSpecs = {}};
    checkContents(delegate);
    const auto graph = (*backend)->describe(delegate, et::executor::NoNamedData());
    if (graph) {
        check(*graph);
    } else {
        sink = sink + graph.error().toString().size();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const auto file = et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()});
    const auto bundle = et::bundled_program::Bundle::parse(file);
    const auto program =
        bundle ? et::program::Program::parse(file, (*bundle)->program) : et::program::Program::parse(file);
    if (!program) {
        describe(file->bytes());
        return 0;
    }
    for (const auto& method : (*program)->methods) {
        for (const auto& delegate : method.delegates) {
            if (delegate.backend == backendName) {
                describe(delegate.payload);
            }
        }
    }
    return 0;
}

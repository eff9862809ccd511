#include "tests/fuzz/support/drive_package.h"

#include "runtime/native/model_graph.h"
#include "runtime/native/quantized.h"
#include "runtime/native/writer.h"
#include "tests/fuzz/support/byte_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace et::fuzz {
namespace {

volatile std::uint64_t sink = 0;

void touch(core::Bytes bytes) {
    for (const std::byte each : bytes) {
        sink = sink + std::to_integer<std::uint64_t>(each);
    }
}

/// Checks that nodes are in execution order, and reads all constants.
void check(const core::ModelGraph& graph) {
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i) {
        for (const core::GraphValueId input : graph.nodes()[i].inputs) {
            const auto producer = graph.value(input).producer;
            require(!producer || producer->value < i);
        }
    }
    for (const core::GraphValue& value : graph.values()) {
        touch(value.data);
    }
}

void use(const native::Program& program, const native::FindTensor& find) {
    for (const native::Method& method : program.methods) {
        check(native::modelGraph(method, find));
        for (const native::Constant& constant : method.constants) {
            const auto stored = find(constant.key);
            if (stored && constant.meta.isQuantized()) {
                std::ignore = native::dequantize(constant.meta, stored->data, find);
                std::ignore = native::quantizedIntegers(constant.meta, stored->data);
            }
        }
    }
    std::ignore = native::lostConstants(program);
    const auto written = native::writeGraph(program).value();
    const auto again = native::parseProgram(written);
    require(again && native::writeGraph(*again).value() == written);
}

}  // namespace

bool drivePackage(core::Bytes bytes) {
    const auto package = native::Package::parse(core::MappedFile::fromMemory({bytes.begin(), bytes.end()}));
    if (!package) {
        const std::string line = package.error().toString();
        require(!line.contains('\n'));
        return false;
    }
    for (const auto& [key, tensor] : (*package)->tensors.tensors) {
        touch(tensor.data);
    }
    use((*package)->program, (*package)->finder());
    return true;
}

bool driveNativeGraph(core::Bytes bytes) {
    const auto program = native::parseProgram(bytes);
    if (!program) {
        std::ignore = program.error().toString();
        return false;
    }
    use(*program, [](std::string_view) { return std::optional<native::StoredTensor>(); });
    return true;
}

}  // namespace et::fuzz

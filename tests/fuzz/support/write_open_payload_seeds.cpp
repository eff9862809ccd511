// Writes made-up payloads of other backends to files: open_payload_seeds FOLDER

#include "tests/support/coreml_payload.h"
#include "tests/support/mlx_payload.h"
#include "tests/support/open_payloads.h"
#include "tests/support/qnn_payload.h"
#include "tests/support/tosa_payload.h"
#include "tests/support/vgf_payload.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

void write(const std::filesystem::path& path, const et::test::PayloadBytes& bytes) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: open_payload_seeds FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    write(folder / "vulkan/in_place_and_lists.vk", et::test::vulkanPayload());
    write(folder / "vulkan/constant_outside.vk", et::test::vulkanPayload({.constantOffset = UINT64_MAX}));
    write(folder / "vulkan/long_list.vk", et::test::vulkanPayload({.listLength = 1000, .poolings = 4}));
    write(folder / "mlx/branch.mlx", et::test::mlxPayload());
    write(folder / "mlx/all_kinds.mlx", et::test::mlxPayloadOfAllKinds());
    write(folder / "mlx/endless.mlx", et::test::mlxPayload({.thenChain = 0}));
    write(folder / "mps/convolution.mps", et::test::mpsPayload());
    write(folder / "mps/without_header.mps", et::test::mpsPayload({.header = false}));
    write(folder / "mps/all_kinds.mps", et::test::mpsPayloadOfAllKinds());
    write(folder / "ethosu/stream.vela", et::test::ethosUPayload());
    write(folder / "coreml/program.bin", et::test::coremlPayload());
    write(folder / "coreml/blocks.bin", et::test::coremlPayload({.blockDepth = 2}));
    write(folder / "coreml/compiled.bin", et::test::coremlPayload({.isCompiled = true}));
    write(folder / "cuda/names.txt", et::test::aotiPayload());
    write(folder / "neuropilot/network.bin", et::test::neuropilotPayload());
    write(folder / "neutron/microcode.bin", et::test::neutronPayload());
    write(folder / "openvino/model.bin", et::test::openvinoPayload());
    write(folder / "tensorrt/engine.bin", et::test::tensorrtPayload());
    write(folder / "qnn/context.bin", et::test::qnnPayload());
    write(folder / "qnn/more_graphs.bin", et::test::qnnPayload({.graphs = 2}));
    write(folder / "tosa/branch.tosa", et::test::tosaPayload());
    write(folder / "tosa/all_kinds.tosa", et::test::tosaPayloadOfAllKinds());
    write(folder / "tosa/unknown_kind.tosa", et::test::tosaPayload({.kind = 200}));
    write(folder / "tosa/data_outside.tosa", et::test::tosaPayload({.dataOffset = 1U << 30U, .dataSize = 4}));
    write(folder / "vgf/graph.vgf", et::test::vgfPayload());
    write(folder / "vgf/older.vgf", et::test::vgfPayload({.isUnaligned = true, .hasConstantTable = true}));
    return 0;
}

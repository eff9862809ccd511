#include "backends/spec_tables.h"

#include <array>

namespace et::backends {
namespace {

using enum SpecFormat;

constexpr std::array aotiRules = std::to_array<SpecRule>({
    {.key = "autotune_at_compile_time", .format = TextFlag},
    {.key = "codesign_identity"},
    {.key = "emulate_precision_casts", .format = TextFlag},
    {.key = "low_memory_mode", .format = TextFlag},
    {.key = "max_autotune", .format = TextFlag},
    {.key = "method_name"},
    {.key = "platform"},
    {.key = "shim_library_path"},
    {.key = "triton_kernel_mode", .format = TextFlag},
});

// Memory modes of Vela, the compiler for Ethos-U.
constexpr std::array armWords = std::to_array<SpecWord>({
    {"Dedicated_Sram", "SRAM only for the NPU, as a cache of DRAM"},
    {"Dedicated_Sram_384KB", "384 KB of SRAM only for the NPU, as a cache of DRAM"},
    {"Dedicated_Sram_512KB", "512 KB of SRAM only for the NPU, as a cache of DRAM"},
    {"Shared_Sram", "tensors in SRAM shared with the CPU, weights elsewhere"},
    {"Sram_Only", "tensors and weights in SRAM"},
});
constexpr std::array armRules = std::to_array<SpecRule>({
    {.key = "compile_flags", .format = Options, .words = armWords},
    {.key = "debug_artifact_path"},
    {.key = "dump_debug_info"},
    {.key = "external_block_placements", .format = Json},
    {.key = "output_format"},
    {.key = "preserve_io_quantization", .format = TextFlag},
    {.key = "target"},
    {.key = "tosa_spec"},
    {.key = "tosa_sw_dev_mode", .format = TextFlag},
    {.key = "transform_pipeline_config", .format = Json},
});

constexpr std::array computeUnits = std::to_array<SpecWord>({
    {"all", "CPU, GPU and Neural Engine"},
    {"cpu_and_gpu", "CPU and GPU"},
    {"cpu_and_ne", "CPU and Neural Engine"},
    {"cpu_only", "CPU"},
});
// Versions of the model's format.
constexpr std::array deploymentTargets = std::to_array<SpecWord>({
    {"", "oldest that supports the model"},
    {"4", "iOS 13, macOS 10.15"},
    {"5", "iOS 14, macOS 11"},
    {"6", "iOS 15, macOS 12"},
    {"7", "iOS 16, macOS 13"},
    {"8", "iOS 17, macOS 14"},
    {"9", "iOS 18, macOS 15"},
    {"10", "iOS 26, macOS 26"},
});
constexpr std::array modelTypes = std::to_array<SpecWord>({
    {"compiled_model", "compiled by the exporter"},
    {"model", "compiled on the device"},
});
constexpr std::array coremlRules = std::to_array<SpecRule>({
    {.key = "compute_units", .words = computeUnits},
    {.key = "enumerated_shapes", .format = Json},
    {.key = "min_deployment_target", .words = deploymentTargets},
    {.key = "model_compute_precision"},
    {.key = "model_type", .words = modelTypes},
    {.key = "multimethod_weight_sharing_strategy"},
    {.key = "op_linear_quantizer_config", .format = Json},
    {.key = "pass_pipeline", .format = Json},
});

constexpr std::array sharedRules = std::to_array<SpecRule>({{.key = "target_device"}});

// A limit, and the position of an operator in the list of supported ones.
constexpr std::array demoRules = std::to_array<SpecRule>({
    {.key = "add", .format = Integer, .bytes = 1},
    {.key = "cos", .format = Integer, .bytes = 1},
    {.key = "max_value", .format = Integer, .bytes = 1},
    {.key = "sin", .format = Integer, .bytes = 1},
    {.key = "sub", .format = Integer, .bytes = 1},
});

constexpr std::array exynosChips = std::to_array<SpecLabel>({
    {0, "undefined"},
    {9955, "E9955 (Exynos 2500)"},
    {9965, "E9965 (Exynos 2600)"},
});
constexpr std::array ennFields = std::to_array<FlatField>({
    {.name = "chipset", .kind = FlatKind::Int32, .labels = exynosChips},
});
constexpr FlatTable ennOptions{.fields = ennFields, .identifier = "EETO"};
constexpr std::array<const FlatTable*, 1> ennSchemas{&ennOptions};
constexpr std::array ennRules = std::to_array<SpecRule>({
    {.key = "enn_compile_options", .format = Flatbuffer, .schemas = ennSchemas},
});

constexpr std::array mpsRules = std::to_array<SpecRule>({
    {.key = "use_fp16", .format = Flag},
});

constexpr std::array nativeRules = std::to_array<SpecRule>({
    {.key = "external_constants_tag"},
    {.key = "serialize_as_ptn", .format = TextFlag},
});

constexpr std::array mediatekChips = std::to_array<SpecWord>({
    {"mt6989", "Dimensity 9300"},
    {"mt6991", "Dimensity 9400"},
    {"mt6993", "Dimensity 9500"},
});
// Options of the compiler under their own names, and three of the runtime.
constexpr std::array neuropilotRules = std::to_array<SpecRule>({
    {.key = "ExtractSharedBlobKey"},
    {.key = "HighAddr", .format = Integer, .bytes = 1},
    {.key = "ImportForever", .format = Integer, .bytes = 1},
    {.key = "platform-config", .words = mediatekChips},
    {.key = ""},
});

constexpr std::array neutronRules = std::to_array<SpecRule>({
    {.key = "compile_flags", .format = Options},
    {.key = "dump_kernel_selection_code", .format = TextFlag},
    {.key = "fetch_constants_to_sram", .format = TextFlag},
    {.key = "intermediates_dir"},
    {.key = "operators_not_to_delegate"},
    {.key = "output_format"},
    {.key = "target"},
    {.key = "use_neutron_for_format_conversion", .format = TextFlag},
    {.key = "use_profiling", .format = TextFlag},
});

// OpenVINO's own options as text, such as the device.
constexpr std::array openvinoRules = std::to_array<SpecRule>({{.key = ""}});

constexpr std::array tensorrtRules =
    std::to_array<SpecRule>({{.key = "tensorrt_compile_spec", .format = Json}});

constexpr std::array vulkanStorageTypes = std::to_array<SpecLabel>({
    {0, "BUFFER"},
    {1, "TEXTURE_3D"},
    {2, "TEXTURE_2D"},
    {255, "DEFAULT_STORAGE"},
});
constexpr std::array vulkanMemoryLayouts = std::to_array<SpecLabel>({
    {0, "TENSOR_WIDTH_PACKED"},
    {1, "TENSOR_HEIGHT_PACKED"},
    {2, "TENSOR_CHANNELS_PACKED"},
    {3, "PACKED_INT8_4W4C"},
    {4, "PACKED_INT8_4H4W"},
    {5, "PACKED_INT8_4W"},
    {6, "PACKED_INT8_4C"},
    {8, "PACKED_INT8_4C1W"},
    {9, "PACKED_INT8_CONV2D"},
    {255, "DEFAULT_LAYOUT"},
});
// All options that are not named here are booleans.
constexpr std::array vulkanRules = std::to_array<SpecRule>({
    {.key = "external_constants_max_data_bytes", .format = Integer, .bytes = 8},
    {.key = "memory_layout_override", .format = Integer, .bytes = 4, .labels = vulkanMemoryLayouts},
    {.key = "storage_type_override", .format = Integer, .bytes = 4, .labels = vulkanStorageTypes},
    {.key = "texture_limits_x", .format = Integer, .bytes = 4},
    {.key = "texture_limits_y", .format = Integer, .bytes = 4},
    {.key = "texture_limits_z", .format = Integer, .bytes = 4},
    {.key = "", .format = Flag},
});

}  // namespace

std::span<const SpecRule> aotiSpecs() {
    return aotiRules;
}

std::span<const SpecRule> armSpecs() {
    return armRules;
}

std::span<const SpecRule> coremlSpecs() {
    return coremlRules;
}

std::span<const SpecRule> demoSpecs() {
    return demoRules;
}

std::span<const SpecRule> ennSpecs() {
    return ennRules;
}

std::span<const SpecRule> mpsSpecs() {
    return mpsRules;
}

std::span<const SpecRule> nativeSpecs() {
    return nativeRules;
}

std::span<const SpecRule> neuropilotSpecs() {
    return neuropilotRules;
}

std::span<const SpecRule> neutronSpecs() {
    return neutronRules;
}

std::span<const SpecRule> openvinoSpecs() {
    return openvinoRules;
}

std::span<const SpecRule> sharedSpecs() {
    return sharedRules;
}

std::span<const SpecRule> tensorrtSpecs() {
    return tensorrtRules;
}

std::span<const SpecRule> vulkanSpecs() {
    return vulkanRules;
}

}  // namespace et::backends

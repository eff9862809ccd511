#include "backends/qnn/compile_specs.h"

#include "backends/qnn/detail/chip_labels.h"

#include <array>

namespace et::backends::qnn {
namespace {

using enum FlatKind;

constexpr std::array htpArchitectures = std::to_array<SpecLabel>(
    {{0, "NONE"}, {68, "V68"}, {69, "V69"}, {73, "V73"}, {75, "V75"}, {79, "V79"}, {81, "V81"}});
constexpr std::array lpaiVersions = std::to_array<SpecLabel>({{0, "NONE"}, {6, "V6"}, {7, "V7"}});
constexpr std::array backendTypes = std::to_array<SpecLabel>({{0, "kUndefinedBackend"},
                                                              {1, "kGpuBackend"},
                                                              {2, "kHtpBackend"},
                                                              {3, "kDspBackend"},
                                                              {4, "kLpaiBackend"}});
constexpr std::array logLevels = std::to_array<SpecLabel>({{0, "kLogOff"},
                                                           {1, "kLogLevelError"},
                                                           {2, "kLogLevelWarn"},
                                                           {3, "kLogLevelInfo"},
                                                           {4, "kLogLevelVerbose"},
                                                           {5, "kLogLevelDebug"}});
constexpr std::array profileLevels = std::to_array<SpecLabel>(
    {{0, "kProfileOff"}, {1, "kProfileBasic"}, {2, "kProfileDetailed"}, {3, "kProfileOptrace"}});
constexpr std::array htpModes = std::to_array<SpecLabel>({{0, "kHtpDefault"},
                                                          {1, "kHtpSustainedHighPerformance"},
                                                          {2, "kHtpBurst"},
                                                          {3, "kHtpHighPerformance"},
                                                          {4, "kHtpPowerSaver"},
                                                          {5, "kHtpLowPowerSaver"},
                                                          {6, "kHtpHighPowerSaver"},
                                                          {7, "kHtpLowBalanced"},
                                                          {8, "kHtpBalanced"}});
constexpr std::array htpPrecisions = std::to_array<SpecLabel>({{0, "kHtpQuantized"}, {1, "kHtpFp16"}});
constexpr std::array htpSessions = std::to_array<SpecLabel>({{0, "kHtpUnsignedPd"}, {1, "kHtpSignedPd"}});
constexpr std::array gpuModes =
    std::to_array<SpecLabel>({{0, "kGpuPerfHintHigh"}, {1, "kGpuPerfHintNormal"}, {2, "kGpuPerfHintLow"}});
constexpr std::array gpuPrecisions = std::to_array<SpecLabel>({{0, "kGpuPrecisionFp32"},
                                                               {1, "kGpuPrecisionFp16"},
                                                               {2, "kGpuPrecisionHybrid"},
                                                               {3, "kGpuPrecisionUserProvided"}});
constexpr std::array lpaiClients =
    std::to_array<SpecLabel>({{0, "kUndefined"}, {1, "kRealTime"}, {2, "kNonRealTime"}});
constexpr std::array lpaiAffinities =
    std::to_array<SpecLabel>({{0, "kUndefined"}, {1, "kSoft"}, {2, "kHard"}});
constexpr std::array lpaiTargets = std::to_array<SpecLabel>({{0, "kX86"}, {1, "kArm"}, {2, "kAdsp"}});
constexpr std::array packageTargets = std::to_array<SpecLabel>({{0, "UNKNOWN"}, {1, "CPU"}, {2, "HTP"}});
constexpr std::array packagePlatforms =
    std::to_array<SpecLabel>({{0, "UNKNOWN"}, {1, "X86_64"}, {2, "AARCH64_ANDROID"}});

constexpr std::array htpInfoFields = std::to_array<FlatField>({
    {.name = "htp_arch", .kind = Int32, .labels = htpArchitectures},
    {.name = "vtcm_size_in_mb", .kind = UInt32},
});
constexpr FlatTable htpInfo{htpInfoFields};
constexpr std::array lpaiInfoFields = std::to_array<FlatField>({
    {.name = "lpai_hardware_version", .kind = Int32, .labels = lpaiVersions},
});
constexpr FlatTable lpaiInfo{lpaiInfoFields};
constexpr std::array socFields = std::to_array<FlatField>({
    {.name = "soc_model", .kind = Int32, .labels = chipLabels},
    {.name = "htp_info", .kind = Table, .table = &htpInfo},
    {.name = "lpai_info", .kind = Table, .table = &lpaiInfo},
});
constexpr FlatTable socInfo{socFields};

constexpr std::array htpFields = std::to_array<FlatField>({
    {.name = "max_sf_buf_size", .kind = Int32},
    {.name = "performance_mode", .kind = Int32, .labels = htpModes},
    {.name = "precision", .kind = Int32, .labels = htpPrecisions},
    {.name = "pd_session", .kind = Int32, .labels = htpSessions},
    {.name = "use_conv_hmx"},
    {.name = "use_dlbc"},
    {.name = "use_fold_relu"},
    {.name = "use_multi_contexts"},
    {.name = "use_weight_sharing"},
    {.name = "use_slc_allocator"},
});
constexpr FlatTable htpOptions{htpFields};
// Until December 2025.
constexpr std::array earlierHtpFields = std::to_array<FlatField>({
    {.name = "max_sf_buf_size", .kind = Int32},
    {.name = "performance_mode", .kind = Int32, .labels = htpModes},
    {.name = "precision", .kind = Int32, .labels = htpPrecisions},
    {.name = "pd_session", .kind = Int32, .labels = htpSessions},
    {.name = "skel_library_dir", .kind = Text},
    {.name = "use_conv_hmx"},
    {.name = "use_dlbc"},
    {.name = "use_fold_relu"},
    {.name = "use_multi_contexts"},
    {.name = "use_weight_sharing"},
});
constexpr FlatTable earlierHtpOptions{earlierHtpFields};

constexpr std::array gpuFields = std::to_array<FlatField>({
    {.name = "performance_mode", .kind = Int32, .labels = gpuModes},
    {.name = "precision", .kind = Int32, .labels = gpuPrecisions},
    {.name = "use_memory_optimizations"},
    {.name = "use_node_optimizations"},
    {.name = "use_queue_recording"},
    {.name = "use_weight_sharing"},
});
constexpr FlatTable gpuOptions{gpuFields};
constexpr std::array lpaiFields = std::to_array<FlatField>({
    {.name = "fps", .kind = Int32},
    {.name = "ftrt_ratio", .kind = Int32},
    {.name = "client_perf_type", .kind = Int32, .labels = lpaiClients},
    {.name = "affinity", .kind = Int32, .labels = lpaiAffinities},
    {.name = "core_selection", .kind = UInt32},
    {.name = "target_env", .kind = Int32, .labels = lpaiTargets},
});
constexpr FlatTable lpaiOptions{lpaiFields};

constexpr std::array backendFields = std::to_array<FlatField>({
    {.name = "backend_type", .kind = Int32, .labels = backendTypes},
    {.name = "htp_options", .kind = Table, .table = &htpOptions},
    {.name = "gpu_options", .kind = Table, .table = &gpuOptions},
    {.name = "lpai_options", .kind = Table, .table = &lpaiOptions},
});
constexpr FlatTable backendOptions{backendFields};
constexpr std::array earlierBackendFields = std::to_array<FlatField>({
    {.name = "backend_type", .kind = Int32, .labels = backendTypes},
    {.name = "htp_options", .kind = Table, .table = &earlierHtpOptions},
    {.name = "gpu_options", .kind = Table, .table = &gpuOptions},
});
constexpr FlatTable earlierBackendOptions{earlierBackendFields};

constexpr std::array packageFields = std::to_array<FlatField>({
    {.name = "op_package_name", .kind = Text},
    {.name = "op_package_path", .kind = Text},
    {.name = "interface_provider", .kind = Text},
    {.name = "target", .kind = Int32, .labels = packageTargets},
    {.name = "custom_op_name", .kind = Text},
    {.name = "qnn_op_type_name", .kind = Text},
    {.name = "platform", .kind = Int32, .labels = packagePlatforms},
});
constexpr FlatTable package{packageFields};
constexpr std::array packagesFields = std::to_array<FlatField>({
    {.name = "op_package_infos", .kind = TableList, .table = &package},
});
constexpr FlatTable packages{packagesFields};

constexpr std::array optionFields = std::to_array<FlatField>({
    {.name = "soc_info", .kind = Table, .table = &socInfo},
    {.name = "backend_options", .kind = Table, .table = &backendOptions},
    {.name = "library_path", .kind = Text},
    {.name = "log_level", .kind = Int32, .labels = logLevels},
    {.name = "online_prepare"},
    {.name = "dump_intermediate_outputs"},
    {.name = "profile_level", .kind = Int32, .labels = profileLevels},
    {.name = "shared_buffer"},
    {.name = "is_from_context_binary"},
    {.name = "saver"},
    {.name = "saver_output_dir", .kind = Text},
    {.name = "op_package_options", .kind = Table, .table = &packages},
    {.name = "use_mha2sha"},
});
constexpr FlatTable options{optionFields};

// May to December 2025.
constexpr std::array optionFieldsOf2025 = std::to_array<FlatField>({
    {.name = "soc_info", .kind = Table, .table = &socInfo},
    {.name = "backend_options", .kind = Table, .table = &earlierBackendOptions},
    {.name = "graph_name", .kind = TextList},
    {.name = "library_path", .kind = Text},
    {.name = "log_level", .kind = Int32, .labels = logLevels},
    {.name = "online_prepare"},
    {.name = "dump_intermediate_outputs"},
    {.name = "profile_level", .kind = Int32, .labels = profileLevels},
    {.name = "shared_buffer"},
    {.name = "is_from_context_binary"},
    {.name = "saver"},
    {.name = "saver_output_dir", .kind = Text},
    {.name = "op_package_options", .kind = Table, .table = &packages},
    {.name = "use_mha2sha"},
});
constexpr FlatTable optionsOf2025{optionFieldsOf2025};

// September 2024 to May 2025.
constexpr std::array optionFieldsOfLate2024 = std::to_array<FlatField>({
    {.name = "soc_info", .kind = Table, .table = &socInfo},
    {.name = "backend_options", .kind = Table, .table = &earlierBackendOptions},
    {.name = "graph_name", .kind = Text},
    {.name = "library_path", .kind = Text},
    {.name = "log_level", .kind = Int32, .labels = logLevels},
    {.name = "online_prepare"},
    {.name = "dump_intermediate_outputs"},
    {.name = "profile_level", .kind = Int32, .labels = profileLevels},
    {.name = "shared_buffer"},
    {.name = "is_from_context_binary"},
    {.name = "multiple_graphs"},
    {.name = "saver"},
    {.name = "saver_output_dir", .kind = Text},
});
constexpr FlatTable optionsOfLate2024{optionFieldsOfLate2024};

// March to September 2024.
constexpr std::array optionFieldsOf2024 = std::to_array<FlatField>({
    {.name = "soc_info", .kind = Table, .table = &socInfo},
    {.name = "backend_options", .kind = Table, .table = &earlierBackendOptions},
    {.name = "graph_name", .kind = Text},
    {.name = "library_path", .kind = Text},
    {.name = "log_level", .kind = Int32, .labels = logLevels},
    {.name = "online_prepare"},
    {.name = "tensor_dump_output_path", .kind = Text},
    {.name = "profile_level", .kind = Int32, .labels = profileLevels},
    {.name = "shared_buffer"},
    {.name = "is_from_context_binary"},
});
constexpr FlatTable optionsOf2024{optionFieldsOf2024};

constexpr std::array<const FlatTable*, 4> schemas{&options, &optionsOf2025, &optionsOfLate2024,
                                                  &optionsOf2024};
constexpr std::array rules = std::to_array<SpecRule>({
    {.key = "qnn_compile_spec", .format = SpecFormat::Flatbuffer, .schemas = schemas},
});

}  // namespace

std::span<const SpecRule> specs() {
    return rules;
}

}  // namespace et::backends::qnn

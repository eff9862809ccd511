// Tests decoding of compile specs.
#include "backends/compile_specs.h"

#include "runtime/program/program.h"
#include "tests/support/qnn_payload.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace et::backends {
namespace {

using core::ErrorCode;
using testing::HasSubstr;

core::Bytes specBytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

core::Result<SpecValue> decoded(std::string_view backend, std::string_view key, std::string_view value) {
    return decodeSpec(backend, {.key = key, .value = specBytes(value)});
}

/// The text of a spec, or its error.
std::string textOf(std::string_view backend, std::string_view key, std::string_view value) {
    const auto spec = decoded(backend, key, value);
    return spec ? spec->text : spec.error().message;
}

std::string settingOf(const SpecValue& spec, std::string_view name) {
    const auto found = std::ranges::find(spec.settings, name, &SpecSetting::name);
    return found == spec.settings.end() ? "none" : found->value;
}

TEST(CompileSpecs, NamesFlagsAndEnums) {
    using namespace std::string_view_literals;
    EXPECT_EQ(textOf("VulkanBackend", "storage_type_override", "\2\0\0\0"sv), "TEXTURE_2D");
    EXPECT_EQ(textOf("VulkanBackend", "memory_layout_override", "\xc8\0\0\0"sv), "200");
    EXPECT_EQ(textOf("VulkanBackend", "force_fp16", "\1"sv), "true");
    EXPECT_EQ(textOf("VulkanBackend", "external_constants_max_data_bytes", "\0\0\x10\0\0\0\0\0"sv),
              "1048576");
    EXPECT_EQ(textOf("MPSBackend", "use_fp16", "\0"sv), "false");
    EXPECT_EQ(textOf("CudaBackend", "low_memory_mode", "ON"), "true");
    EXPECT_EQ(textOf("NeutronBackend", "use_profiling", "False"), "false");
    EXPECT_EQ(textOf("NeuropilotBackend", "platform-config", "mt6991"), "mt6991 (Dimensity 9400)");
    EXPECT_EQ(textOf("BackendWithCompilerDemo", "max_value", "\4"), "4");
    EXPECT_EQ(textOf("AnyBackend", "target_device", "cuda:1"), "cuda:1");
}

TEST(CompileSpecs, NamesTheSystemOfEthosU) {
    const auto flags = decoded("EthosUBackend", "compile_flags",
                               "--accelerator-config=ethos-u55-128 --config=Arm/vela.ini --output-format=raw "
                               "--system-config=Ethos_U55_High_End_Embedded --memory-mode=Shared_Sram");
    ASSERT_TRUE(flags) << flags.error().toString();
    EXPECT_EQ(settingOf(*flags, "accelerator-config"), "ethos-u55-128");
    EXPECT_EQ(settingOf(*flags, "system-config"), "Ethos_U55_High_End_Embedded");
    EXPECT_EQ(settingOf(*flags, "memory-mode"),
              "Shared_Sram (tensors in SRAM shared with the CPU, weights elsewhere)");
    EXPECT_EQ(textOf("TOSABackend", "tosa_spec", "TOSA-1.0+INT"), "TOSA-1.0+INT");
    EXPECT_EQ(textOf("VgfBackend", "tosa_sw_dev_mode", "True"), "true");
    EXPECT_EQ(textOf("EthosUBackend", "external_block_placements", R"({"cmd_data":"sram"})"),
              "cmd_data=sram");
}

TEST(CompileSpecs, RejectsOtherFormats) {
    EXPECT_EQ(textOf("VulkanBackend", "storage_type_override", "\2"),
              "expected an integer of 4 bytes, got 1 bytes: 02");
    EXPECT_EQ(textOf("MPSBackend", "use_fp16", "\7"), "expected one byte, 0 or 1, got 1 bytes: 07");
    EXPECT_EQ(textOf("CudaBackend", "max_autotune", "maybe"),
              "expected \"true\" or \"false\", got 5 bytes: 6d61796265");
    EXPECT_EQ(decoded("DemoBackend", "mode", "fast").error().code, ErrorCode::Unsupported);
    EXPECT_EQ(specLine("DemoBackend", {.key = "mode", .value = specBytes("fast")}), "fast");
    EXPECT_EQ(specLine("MPSBackend", {.key = "use_fp16", .value = specBytes("\7")}), "07");
}

TEST(CompileSpecs, SplitsOptions) {
    const auto spec = decoded("NeutronBackend", "compile_flags", "--opt=3  -x  --config a b");
    ASSERT_TRUE(spec) << spec.error().toString();
    EXPECT_EQ(settingOf(*spec, "opt"), "3");
    EXPECT_EQ(settingOf(*spec, "x"), "true");
    EXPECT_EQ(settingOf(*spec, "config"), "a b");
    EXPECT_EQ(spec->settings.size(), 3U);
    EXPECT_EQ(textOf("NeutronBackend", "compile_flags", ""), "");
}

TEST(CompileSpecs, ReadsQnnOptionsOfAllVersions) {
    for (const test::QnnSchema schema :
         {test::QnnSchema::Of2026, test::QnnSchema::Of2025, test::QnnSchema::OfLate2024}) {
        const test::PayloadBytes bytes = test::qnnOptions(schema);
        const auto spec = decodeSpec("QnnBackend", {.key = "qnn_compile_spec", .value = bytes});
        ASSERT_TRUE(spec) << spec.error().toString();
        EXPECT_EQ(settingOf(*spec, "soc_info.soc_model"), "SM8750 (Snapdragon 8 Elite)");
        EXPECT_EQ(settingOf(*spec, "soc_info.htp_info.htp_arch"), "V79");
        EXPECT_EQ(settingOf(*spec, "soc_info.htp_info.vtcm_size_in_mb"), "8");
        EXPECT_EQ(settingOf(*spec, "backend_options.backend_type"), "kHtpBackend");
        EXPECT_EQ(settingOf(*spec, "backend_options.htp_options.precision"), "kHtpFp16");
        EXPECT_EQ(settingOf(*spec, "backend_options.htp_options.use_fold_relu"), "true");
        EXPECT_EQ(settingOf(*spec, "profile_level"), "kProfileDetailed");
        EXPECT_EQ(settingOf(*spec, "library_path"), "libQnnHtp.so");
        EXPECT_EQ(settingOf(*spec, "online_prepare"), "false");
        EXPECT_EQ(spec->opaqueBytes, 0U);
        const bool isNew = schema == test::QnnSchema::Of2026;
        EXPECT_EQ(settingOf(*spec, "graph_name[0]"), schema == test::QnnSchema::Of2025 ? "forward" : "none");
        EXPECT_EQ(settingOf(*spec, "graph_name"), schema == test::QnnSchema::OfLate2024 ? "forward" : "none");
        EXPECT_EQ(settingOf(*spec, "backend_options.htp_options.use_slc_allocator"),
                  isNew ? "false" : "none");
        EXPECT_THAT(spec->text, HasSubstr("soc_info.soc_model=SM8750"));
        EXPECT_THAT(spec->text, testing::Not(HasSubstr("online_prepare"))) << "left out";
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            (void)decodeSpec("QnnBackend",
                             {.key = "qnn_compile_spec", .value = core::Bytes(bytes).first(size)});
        }
    }
    EXPECT_EQ(decoded("QnnBackend", "qnn_compile_spec", "no options").error().code, ErrorCode::Format);
}

TEST(CompileSpecs, ReadsExynosOptions) {
    using namespace std::string_view_literals;
    constexpr std::string_view bytes = "\x10\0\0\0EETO\0\0\x06\0\x08\0\x04\0\x06\0\0\0\xe3\x26\0\0"sv;
    const auto spec = decoded("EnnBackend", "enn_compile_options", bytes);
    ASSERT_TRUE(spec) << spec.error().toString();
    EXPECT_EQ(spec->text, "chipset=E9955 (Exynos 2500)");
    EXPECT_EQ(spec->opaqueBytes, 0U);
    std::string other(bytes);
    other[4] = 'X';
    EXPECT_FALSE(decoded("EnnBackend", "enn_compile_options", other)) << "another identifier";
}

TEST(CompileSpecs, ReadsRealQnnOptions) {
    ET_NEEDS_SHARED_DATA();
    const auto file = program::Program::open(test::sharedData() / "legacy/stories260k_hybrid_llama_qnn.pte");
    ASSERT_TRUE(file) << file.error().toString();
    const program::Delegate& delegate = (*file)->methods.front().delegates.front();
    const auto spec = decodeSpec(delegate.backend, delegate.compileSpecs.front());
    ASSERT_TRUE(spec) << spec.error().toString();
    EXPECT_EQ(settingOf(*spec, "soc_info.soc_model"), "SM8650 (Snapdragon 8 Gen 3)");
    EXPECT_EQ(settingOf(*spec, "soc_info.htp_info.htp_arch"), "V75");
    EXPECT_EQ(settingOf(*spec, "log_level"), "kLogLevelError");
    EXPECT_EQ(settingOf(*spec, "saver_output_dir"), "saver_output");
    EXPECT_EQ(settingOf(*spec, "use_mha2sha"), "true");
    EXPECT_EQ(spec->opaqueBytes, 0U);
}

}  // namespace
}  // namespace et::backends

// Explanations of logs written for these tests, and of hostile input.
#include "inspector/explain/explanation.h"
#include "inspector/explain/log_prefix.h"
#include "tests/inspector/explained_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {
namespace {

struct OwnCase {
    std::string_view name;
    std::string_view log;
    std::string_view message;  ///< id of the failure
    std::string_view cause;    ///< words of the first or second cause
    std::string_view remedy;   ///< words of its remedy
};

constexpr OwnCase ownCases[] = {
    {"BackendInLogcat",
     "10-12 11:22:33.444  1234  1250 I ActivityManager: Displayed com.example/.Main\n"
     "10-12 11:22:33.500  1234  1250 E ExecuTorch: Backend QnnBackend is not registered.\n"
     "10-12 11:22:33.501  1234  1250 E AndroidRuntime: FATAL EXCEPTION: main\n"
     "10-12 11:22:33.501  1234  1250 E AndroidRuntime: Execution of method forward failed with status 0x20\n",
     "no-backend", "not linked or loaded", "EXECUTORCH_BUILD_QNN"},
    {"DropoutInXcode",
     "2026-01-02 03:04:05.678901+0100 MyApp[1234:567890] [ExecuTorch] Missing operator: [12] "
     "aten::dropout.out\n",
     "missing-operator", "training mode", "model.eval()"},
    {"QuantizedInPython",
     "[operator_registry.cpp:256] kernel 'quantized_decomposed::dequantize_per_tensor.out' not found.\n"
     "RuntimeError: Failed to load method forward, error: 0x:14\n",
     "missing-operator", "Quantize and dequantize", "quantized_ops_lib"},
    {"CustomOperator", "E executorch:method.cpp:1] Missing operator: [3] mylib::mul3.out\n",
     "missing-operator", "custom operator", "EXECUTORCH_LIBRARY"},
    {"PortableOperator", "[method.cpp:724] Missing operator: [3] aten::convolution.out\n", "missing-operator",
     "not linked into this runtime", "--whole-archive"},
    {"OperatorOfNoRelease", "[method.cpp:724] Missing operator: [3] aten::linalg_qr.out\n",
     "missing-operator", "not in the core ATen", "IR check"},
    {"RankOfInput",
     "E/ExecuTorch(99): Attempted to change the tensor rank which is immutable: old=4, new=3\n"
     "E/ExecuTorch(99): Error setting input 1: 0x10\n",
     "rank-changed", "number of dimensions", "unsqueeze"},
    {"BoundOfInput",
     "[tensor_impl.cpp:1] Attempted to resize a bounded tensor with a maximum capacity of 128 elements to "
     "300 elements.\n"
     "[method.cpp:829] Error setting input 0: 0x10\n",
     "resize-bounded", "upper bound", "max"},
    {"DtypeOfInput", "Input 2 has unexpected scalar type: expected Float but was Long.\n", "input-dtype",
     "passes Long", "Convert the input to Float"},
    {"DtypeIdOfInput",
     "The 0-th input tensor's scalartype does not meet requirement: found 4 but expected 6\n", "input-dtype",
     "int64", "float32"},
    {"CountOfInputs", "Invalid number of inputs provided. Expected 2, but got 1\n", "input-count",
     "was forgotten", "Pass 2 inputs"},
    {"BundleAsProgram", "Program identifier 'BP08' != expected 'ET12'\n", "identifier", "bundled program",
     "bundled programs"},
    {"TruncatedProgram",
     "File size is too small. Expected file size from extended header is 1000, actual file size from data "
     "loader is "
     "900\n",
     "truncated", "100 bytes are missing", "Copy the file again"},
    {"DataOfOtherExport", "Key linear.weight not found in named data maps\n", "key-missing", "another export",
     ".ptd"},
    {"NoData", "external_data_map is null\n", "no-data-map", "without its data file", ".ptd"},
    {"ProgramAsData", "FlatTensor identifier 'ET12' != expected 'FT01'\n", "ptd-identifier", "exchanged",
     ".pte"},
    {"OutputsDiffer",
     "Method's output data mismatched the expected one.\nBundle verification failed with status 0x20\n",
     "outputs-differ", "tolerance", "verify"},
    {"PlannedTooSmall",
     "offset_bytes (600000) + size_bytes (7232) >= allocator size (4096) for memory_id 0\n",
     "planned-too-small", "smaller than the memory plan", "memory_planned_buffer_size"},
    {"TemporaryPool",
     "E executorch:memory_allocator.h:87] Memory allocation failed: 4096B requested (adjusted for "
     "alignment), 1024B "
     "available\nE executorch:method.cpp:1] Execution of method forward failed with status 0x21\n",
     "pool-exhausted", "temporary pool", "temporary allocator"},
    {"EthosScratch",
     "E [executorch:memory_allocator.h:105 allocate()] Memory allocation failed: 8197520B requested "
     "(adjusted for "
     "alignment), 2000B available\n"
     "E [executorch:EthosUBackend.cpp:1 execute()] Failed to allocate scratch buffer of 8197520 bytes from "
     "temp_allocator\n",
     "pool-exhausted", "scratch buffer", "TEMP_ALLOCATOR"},
    {"XnnpackMemory", "XNN Runtime creation failed with code: xnn_status_out_of_memory\n", "xnn-runtime",
     "too little memory", "smaller"},
    {"XnnpackVersion",
     "XNNPACK Delegate Serialization Format version identifier 'XN02' != expected XN00 or XN01'\n",
     "xnn-identifier", "another version", "same release"},
    {"XnnpackConvolution",
     "[XNNCompiler.cpp:1] Failed to create convolution node 7 with code: xnn_status_invalid_parameter\n",
     "xnn-node", "quantization of the weights", "is_per_channel"},
    {"XnnpackTranspose",
     "[XNNCompiler.cpp:1] Failed to create static transpose node 9 with code: xnn_status_invalid_parameter\n",
     "xnn-node", "different scales", "share the parameters"},
    {"QnnVersion", "E [Qnn ExecuTorch]: <E> Stub lib id mismatch: expected (v2.28.2), detected (v2.25.17)\n",
     "qnn-stub", "different QNN versions", "one SDK"},
    {"QnnContext", "E [Qnn ExecuTorch]: Failed to create context from binary with err 0x138d\n",
     "qnn-context", "newer QNN SDK", "SDK version"},
    {"VulkanShader",
     "Exception raised from get_shader_info at ShaderRegistry.cpp:54: (it != listings_.end()) is false! "
     "Could not find "
     "ShaderInfo with name full_int32\n",
     "vulkan-shader", "no shader variant", "outside of the delegate"},
    {"VulkanLost", "vkQueueSubmit: VK_ERROR_DEVICE_LOST\n", "vulkan-lost", "watchdog", "driver"},
    {"CoremlInit", "[Core ML] Model init failed The file could not be opened\n", "coreml-init", "too old",
     "minimum_deployment_target"},
    {"EthosFloat",
     "Input 0 expected Integer (4 byte), Char (1 byte) or Bool (1 byte) integer inputs, got ScalarType id 6 "
     "size 4\n",
     "ethos-input", "not quantized", "Quantize the model"},
    {"PromptTooLong", "num_prompt_tokens 140 >= max_seq_len_ 128, Max seq length exceeded\n",
     "prompt-too-long", "context length", "max_seq_length"},
    {"CacheFull", "start_pos: 128 must be less than cache size at dim 1: 128\n", "cache-full", "KV cache",
     "max_context_length"},
    {"TokenDtype", "indices_ptr[0] 144115196571280365 >= weight.size(0) 32000\n", "embedding-index",
     "int32 data read as int64", "dtype"},
    {"TwoKernelLibraries",
     "Re-registering aten::add.out, from NOT_SUPPORTED\nKernel registration failed with error 18, see error "
     "log for "
     "details.\n",
     "registered-twice", "Two operator libraries", "one kernel library"},
    {"LibraryMissing",
     "java.lang.UnsatisfiedLinkError: dlopen failed: library \"libexecutorch.so\" not found\n",
     "library-missing", "does not contain the library", "lib/<abi>"},
    {"MissingOutOfCustom", "RuntimeError: Missing out variants: {'mylib::foo'}\n", "missing-out",
     "no out variant", "Register an out variant"},
    {"Flatc", "FileNotFoundError: [Errno 2] No such file or directory: 'flatc'\n", "flatc", "not on PATH",
     "FLATC_EXECUTABLE"},
    {"SchemaFile",
     "FileNotFoundError: [Errno 2] No such file or directory: "
     "'/home/x/executorch/exir/_serialize/program.fbs'\n",
     "schema-file", "source tree", "Install the package"},
    {"BackendUnavailable",
     "E 00:00:00.001022 executorch:XNNPACKBackend.cpp:49] Failed to initialize, XNNPACK status: 0x5\n"
     "E 00:00:00.110105 executorch:method.cpp:78] Backend XnnpackBackend is not available.\n",
     "xnn-initialize", "does not support this processor", "/proc/cpuinfo"},
    {"BackendOfADevice", "E executorch:method.cpp:78] Backend EthosUBackend is not registered.\n",
     "no-backend", "its own hardware", "runner of that device"},
    {"TokenizerOfAnotherKind",
     "E tokenizers:hf_tokenizer.cpp:10] Error parsing json file: [json.exception.parse_error.101]\n",
     "tokenizer-json", "another kind", "et-inspect tokenize"},
    {"TokenizerTriedFirst",
     "E tokenizers:hf_tokenizer.cpp:10] Error parsing json file: [json.exception.parse_error.101]\n"
     "I executorch:llm_runner_helper.cpp:1] Loaded TikToken tokenizer\n",
     "tokenizer-json", "Not a failure", "Ignore"},
    {"QnnSkel", "E [Qnn ExecuTorch]: <E> Failed to load skel, error: 4000\n", "qnn-skel", "ADSP_LIBRARY_PATH",
     "uses-native-library"},
    {"DataOfAnotherExport",
     "[tensor_parser_exec_aten.cpp:1] Sizes mismatch. Expected 4, got 7 for size at index 0.\n",
     "data-mismatch", "different exports", ".ptd"},
    {"LinearBias",
     "E 00:00:00.788349 executorch:op_linear.cpp:32] Check failed (!bias.has_value()): bias not supported "
     "yet in linear\n"
     "E 00:00:00.788352 executorch:method.cpp:1311] KernelCall failed at instruction 0:15 in operator "
     "aten::linear.out: 0x12\n",
     "linear-bias", "without a bias", "newer runtime"},
    {"PoolingWindow",
     "E 00:00:00.312345 executorch:kernel_ops_util.cpp:467] The provided combination of input and kernel "
     "parameters produces an invalid output size:\n"
     "E 00:00:00.312351 executorch:method.cpp:1311] KernelCall failed at instruction 0:7 in operator "
     "aten::max_pool2d_with_indices.out: 0x12\n",
     "size-invalid", "window is larger", "min"},
    {"DivisorIsZero",
     "05-21 10:01:02.100  4242  4250 E ExecuTorch: Remainder operation encountered integer division by "
     "zero\n",
     "integer-division", "divisor", "clamp"},
    {"HalfAttention",
     "E 00:00:02.100111 executorch:op_sdpa.cpp:120] Check failed (query.scalar_type() == ScalarType::Float): "
     "query "
     "must be float32\n",
     "attention-dtype", "half precision", "float32"},
    {"MaskAndCausal", "attn_mask and is_causal cannot be set at the same time\n", "attention-mask",
     "is_causal", "only one"},
    {"NoDeviceAllocator",
     "E 00:00:00.001000 executorch:op_device_copy.cpp:55] _h2d_copy: no device allocator registered for "
     "device_type=1\n",
     "device-copy", "not linked", "whole-archive"},
    {"ManyDimensions",
     "E 00:00:00.001000 executorch:copy_ops_util.cpp:95] The number of expanded dims (18) exceeds the "
     "configured "
     "maximum (16). Increase this limit.\n",
     "too-many-dims", "more dimensions", "Reshape"},
    {"CacheLayout",
     "E 00:00:01.000200 executorch:op_sdpa.cpp:61] Check failed (is_contiguous_dim_order(k_cache)): key "
     "cache must "
     "be in contiguous dim order\n",
     "not-contiguous", "row by row", "contiguous"},
    {"MaskedIndex",
     "E 00:00:00.700200 executorch:advanced_index_util.cpp:96] The shape of mask index [4] must match the "
     "sizes of "
     "the corresponding input dimensions [5].\n",
     "shapes-differ", "shapes of the arguments", "torch.export.Dim"},
    {"BareCode", "D/ETLogging: Load failed: 34\n", "code-outcome", "not at the given path", "permissions"},
    {"BareName", "module.forward() failed: Error::NotFound\n", "code-outcome",
     "backend of the program is not registered", "force_load"},
};

void PrintTo(const OwnCase& each, std::ostream* out) {
    *out << each.name;
}

class ExplainOwnLogs : public testing::TestWithParam<OwnCase> {};

TEST_P(ExplainOwnLogs, FirstOrSecondCauseIsTheRightOne) {
    const Explanation found = explained(GetParam().log);
    EXPECT_TRUE(found.known);
    EXPECT_EQ(found.message, GetParam().message) << listed(found);
    const std::size_t rank = rankOf(found, GetParam().cause, GetParam().remedy);
    EXPECT_TRUE(rank == 1 || rank == 2) << rank << '\n' << listed(found);
    for (const ExplainedCause& each : found.causes) {
        EXPECT_TRUE(each.evidence.starts_with("line ")) << each.evidence;
    }
}

INSTANTIATE_TEST_SUITE_P(Logs, ExplainOwnLogs, testing::ValuesIn(ownCases),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Explain, OrdinaryLogsAreNotFailures) {
    for (const std::string_view log :
         {"", "I 00:00:00.000196 executorch:exec_runner.cpp:58] Model file model.pte is loaded.\n",
          "build finished\nall tests passed\n"}) {
        const Explanation found = explained(log);
        EXPECT_FALSE(found.known) << found.failure;
        EXPECT_TRUE(found.causes.empty());
    }
}

TEST(Explain, UnknownErrorsAreQuotedAndNotExplained) {
    const Explanation found = explained("E 00:00:00.1 executorch:new_file.cpp:12] The flux is inverted\n");
    EXPECT_FALSE(found.known);
    EXPECT_TRUE(found.failure.contains("line 1: The flux is inverted")) << found.failure;
    EXPECT_TRUE(found.causes.empty());
}

TEST(Explain, AnUnknownReasonBeforeACodeIsSaid) {
    const Explanation found = explained(
        "E 00:00:00.1 executorch:new_file.cpp:12] The flux is inverted\n"
        "F 00:00:00.2 executorch:runner.cpp:9] In function main(), assert failed (x): Execution of method "
        "forward failed with status 0x12\n");
    EXPECT_FALSE(found.known);
    EXPECT_TRUE(found.failure.contains("flux")) << found.failure;
    EXPECT_EQ(found.codes, std::vector<std::uint32_t>{0x12});
    for (const ExplainedCause& each : found.causes) {
        EXPECT_EQ(each.confidence, Confidence::Possible);
    }
}

TEST(Explain, AnUnknownAssertionIsQuotedBeforeTheAbort) {
    const Explanation found = explained(
        "F 00:00:00.1 executorch:new_file.h:12] In function open_gate(), assert failed (n < 3): The gate has "
        "too many doors\nAborted (core dumped)\n");
    EXPECT_FALSE(found.known);
    EXPECT_TRUE(found.failure.contains("open_gate(): The gate has too many doors")) << found.failure;
    EXPECT_TRUE(found.causes.empty()) << listed(found);
}

TEST(Explain, TheUnknownCheckOfAKernelIsQuoted) {
    const Explanation found = explained(
        "I 00:00:00.1 executorch:runner.cpp:12] Model loaded.\n"
        "E 00:00:00.2 executorch:op_new.cpp:12] Expected the gate to be open\n"
        "E 00:00:00.3 executorch:method.cpp:13] KernelCall failed at instruction 0:3 in operator "
        "aten::new.out: 0x12\n");
    EXPECT_TRUE(found.known);
    EXPECT_TRUE(found.failure.contains("line 2")) << found.failure;
    EXPECT_EQ(rankOf(found, "Expected the gate to be open", "et-inspect run"), 1U) << listed(found);
}

TEST(Explain, TheFirstFailureIsExplainedNotALaterOne) {
    const Explanation found = explained(
        "[method.cpp:1] Backend XnnpackBackend is not registered.\n"
        "RuntimeError: Failed to load method forward, error: 0x:20\n"
        "[method.cpp:1] Missing operator: [1] mylib::foo.out\n"
        "RuntimeError: Failed to load method forward, error: 0x:14\n");
    EXPECT_EQ(found.message, "no-backend");
    EXPECT_EQ(found.codes, std::vector<std::uint32_t>{0x20});
}

TEST(Explain, MissingOperatorsOfDifferentKindsAreAllExplained) {
    const Explanation found = explained(
        "[method.cpp:1] Missing operator: [1] aten::native_dropout.out\n"
        "[method.cpp:1] Missing operator: [2] llama::update_cache.out\n"
        "[method.cpp:1] Missing operator: [3] llama::sdpa_with_kv_cache.out\n");
    EXPECT_NE(rankOf(found, "training mode", "eval"), 0U) << listed(found);
    EXPECT_NE(rankOf(found, "custom operators for language models", "custom-operator"), 0U) << listed(found);
}

// Lines as other loggers print them.
TEST(Explain, PrefixesAreRemoved) {
    constexpr std::string_view prefixes[] = {
        "",
        "E 00:00:00.000412 executorch:method.cpp:66] ",
        "E executorch:method.cpp:66] ",
        "E [executorch:method.cpp:66 init()] ",
        "[method.cpp:66] ",
        "10-12 11:22:33.444  1234  1250 E ExecuTorch: ",
        "10-12 11:22:33.444 E/ExecuTorch( 1234): ",
        "E/ExecuTorch( 1234): ",
        "E/ETLOG: ",
        "2026-10-12 11:22:33.444  1234-1250  ExecuTorch  com.example.app  E  ",
        "2026-10-12 11:22:33.444567+0200 MyApp[1234:56789] ",
        "[   12.345678] ",
        "[11:22:33.444] ",
        "2026-10-12T11:22:33.4445678Z E 00:00:00.000412 executorch:method.cpp:66] ",
        "INFO:root:",
        "E   ",
        "\x1b[31mE 00:00:00.000412 executorch:method.cpp:66]\x1b[0m ",
    };
    for (const std::string_view prefix : prefixes) {
        const std::string line = std::string(prefix) + "Backend FooBackend is not registered.";
        EXPECT_EQ(withoutPrefix(cleanLine(line, 300)).text, "Backend FooBackend is not registered.")
            << prefix;
        EXPECT_EQ(explained(line + "\r\n").message, "no-backend") << prefix;
    }
}

TEST(Explain, TextThatLooksLikeAPrefixIsKept) {
    EXPECT_EQ(withoutPrefix("Note: the file").text, "Note: the file");
    EXPECT_EQ(withoutPrefix("12 items").text, "12 items");
}

TEST(Explain, BlocksOfAnySizeGiveTheSameAnswer) {
    constexpr std::string_view log =
        "noise\n\x1b[1mE/ExecuTorch(1): Input 0 has unexpected scalar type: expected Byte but was "
        "Float.\x1b[0m\nnoise\n";
    for (const std::size_t size : {1U, 2U, 7U, 64U}) {
        LogScanner scanner;
        for (std::size_t at = 0; at < log.size(); at += size) {
            scanner.add(log.substr(at, size));
        }
        const LogContent content = scanner.finish();
        EXPECT_EQ(content.lines, 3U);
        ASSERT_EQ(content.sightings.size(), 1U);
        EXPECT_EQ(content.sightings.front().line, 2U);
        EXPECT_EQ(explain(content).message, "input-dtype");
    }
}

TEST(Explain, Utf16OfPowerShellIsRead) {
    std::string wide = "\xff\xfe";
    for (const char c : std::string_view("Backend FooBackend is not registered.\r\n")) {
        wide += c;
        wide += '\0';
    }
    EXPECT_EQ(explained(wide).message, "no-backend");
}

TEST(Explain, HostileLogsAreHarmless) {
    std::string endless(std::size_t{8} << 20U, 'x');
    endless += "Backend FooBackend is not registered.";
    EXPECT_EQ(explained(endless).message, "no-backend");
    EXPECT_LT(explained(endless).causes.front().evidence.size(), 2000U);

    std::string escapes;
    for (int i = 0; i < 100000; ++i) {
        escapes += "\x1b]0;title\a\x1b[999;999H";
    }
    escapes += "Backend \x1b[31mFooBackend\x1b[0m is not registered.\n";
    const Explanation colored = explained(escapes);
    EXPECT_EQ(colored.message, "no-backend");
    EXPECT_FALSE(colored.causes.front().evidence.contains('\x1b'));

    std::string binary;
    for (int i = 0; i < 1 << 16; ++i) {
        binary += static_cast<char>(i * 7919 >> 3);
    }
    EXPECT_FALSE(explained(binary).known);

    std::string repeated;
    for (int i = 0; i < 100000; ++i) {
        repeated += "Missing operator: [1] a::b" + std::to_string(i) + ".out\n";
    }
    const LogContent content = scanLog(repeated);
    EXPECT_LE(content.sightings.size(), LogScanner::maxPerMessage);
    EXPECT_EQ(content.lines, 100000U);
    EXPECT_EQ(explain(content).message, "missing-operator");
}

}  // namespace
}  // namespace et::inspector

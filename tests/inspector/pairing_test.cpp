// Tests whether an ETRecord matches a trace: contradictions, and differences explained by lowering.
#include "tests/inspector/join_support.h"

#include <gmock/gmock.h>

namespace et::test {
namespace {

using core::DebugHandle;
using core::InstructionId;
using etdump::TraceWriter;
using etrecord::DelegateEntry;
using etrecord::MethodMaps;
using etrecord::RecordWriter;
using testing::HasSubstr;

/// The warning for this trace and ETRecord; "" if they match.
std::string complaint(const Trace& trace, const Record& record) {
    const Blocks joined = join(trace, record);
    EXPECT_LE(joined->warnings().size(), 1U);
    return joined->warnings().empty() ? "" : joined->warnings()[0];
}

Trace xnnpackTrace(const std::vector<std::string>& operators) {
    TraceWriter writer;
    writer.beginRun("Execute");
    for (const std::string& name : operators) {
        writer.profile("", delegated(0, name), 0, 1);
    }
    writeDelegateCall(writer, 0);
    writeExecute(writer);
    return traceOf(writer);
}

Record xnnpackRecord(const std::vector<std::string>& operators,
                     const std::string& backend = "XnnpackBackend") {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph(operators));
    MethodMaps maps;
    etrecord::HandleEntry& entry = maps.debugHandles[InstructionId(0)];
    entry.list = true;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        entry.handles.insert(entry.handles.end(), 2, DebugHandle(static_cast<std::int64_t>(i + 1)));
    }
    maps.delegates[InstructionId(0)] = DelegateEntry{.backend = backend, .identifiers = {}};
    writer.setMaps("forward", maps);
    return recordOf(writer);
}

TEST(RecordOfAnother, OtherOperator) {
    const std::string said =
        complaint(traceFor({"mm.out", "add.out"}), recordFor({"aten.mm.default", "aten.sub.Tensor"}));
    EXPECT_THAT(said, HasSubstr("the record test.etrecord does not fit the trace test.etdp"));
    EXPECT_THAT(said, HasSubstr("instruction 1 ran native_call_add.out, but the record has aten.sub.Tensor"));
}

TEST(RecordOfAnother, InstructionThatNeverRan) {
    EXPECT_THAT(complaint(traceFor({"mm.out"}), recordFor({"aten.mm.default", "aten.sub.Tensor"})),
                HasSubstr("instruction 1 ran nothing, but the record has aten.sub.Tensor"));
}

TEST(RecordOfAnother, InstructionPastTheRecord) {
    EXPECT_THAT(complaint(traceFor({"mm.out", "tanh.out"}), recordFor({"aten.mm.default"})),
                HasSubstr("instruction 1 ran native_call_tanh.out, but the record has no such operator"));
}

TEST(RecordOfAnother, OperatorThatRanTooOften) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.mm.default"}));
    writer.setMaps("forward", plainMaps(1));
    EXPECT_THAT(
        complaint(traceFor({"mm.out", "mm.out"}), recordOf(writer)),
        HasSubstr("instruction 1 ran an additional native_call_mm.out, but the record has only 1 of them"));
}

TEST(RecordOfAnother, RecordWithoutHandlesStillNamesOperators) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.sin.default"}));
    writer.setMaps("forward", MethodMaps());
    EXPECT_EQ(complaint(traceFor({"sin.out"}), recordOf(writer)), "");
    EXPECT_THAT(complaint(traceFor({"mm.out"}), recordOf(writer)), HasSubstr("no such operator"));
}

TEST(RecordOfAnother, DelegateWhereThereIsNone) {
    TraceWriter writer;
    writer.beginRun("Execute");
    writeDelegateCall(writer, 0);
    EXPECT_THAT(complaint(traceOf(writer), recordFor({"aten.mm.default"})),
                HasSubstr("instruction 0 ran DELEGATE_CALL, but the record has no delegate"));
}

TEST(RecordOfAnother, KernelWhereThereIsADelegate) {
    EXPECT_THAT(
        complaint(traceFor({"mm.out"}), xnnpackRecord({"aten.mm.default"})),
        HasSubstr("instruction 0 ran native_call_mm.out, but the record has the delegate XnnpackBackend"));
}

TEST(RecordOfAnother, HandlesThatNoNodeHas) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.mm.default"}));
    MethodMaps maps;
    maps.debugHandles[InstructionId(0)] = {.handles = {DebugHandle(77)}, .list = false};
    writer.setMaps("forward", maps);
    EXPECT_THAT(complaint(traceFor({"mm.out"}), recordOf(writer)),
                HasSubstr("debug handle 77, which no node has"));
}

TEST(RecordOfAnother, XnnpackThatRanOtherOperators) {
    const Trace trace = xnnpackTrace(
        {"Convolution (NHWC, F32) IGEMM #1", "Clamp (NC, F32) #1", "Fully Connected (NC, F32) GEMM #1"});
    EXPECT_EQ(complaint(trace, xnnpackRecord(
                                   {"aten.convolution.default", "aten.relu.default", "aten.linear.default"})),
              "");
    EXPECT_THAT(complaint(trace, xnnpackRecord({"aten.convolution.default", "aten.relu.default"})),
                HasSubstr("2 convolutions and matrix products in XnnpackBackend, but the record has 1"));
    EXPECT_THAT(
        complaint(trace, xnnpackRecord({"aten.linear.default", "aten.linear.default"}, "VulkanBackend")),
        HasSubstr("the delegate VulkanBackend"));
}

TEST(RecordOfAnother, QuantizedAndNot) {
    const Trace plain = xnnpackTrace({"Fully Connected (NC, F32) GEMM #1"});
    const Trace quantized = xnnpackTrace({"Convert (NC) #1", "Fully Connected (NC, QS8, QC8W) GEMM #1"});
    const Record plainRecord = xnnpackRecord({"aten.linear.default"});
    const Record quantizedRecord =
        xnnpackRecord({"quantized_decomposed.quantize_per_tensor.default",
                       "quantized_decomposed.dequantize_per_tensor.default", "aten.linear.default"});
    EXPECT_EQ(complaint(plain, plainRecord), "");
    EXPECT_EQ(complaint(quantized, quantizedRecord), "");
    EXPECT_THAT(complaint(quantized, plainRecord), HasSubstr("but the record has nothing quantized"));
    EXPECT_THAT(complaint(plain, quantizedRecord), HasSubstr("ran nothing quantized in XnnpackBackend"));
}

// An instruction may have run only some of the nodes whose handles it shares with another.
TEST(RecordFits, WhereInstructionsShareHandles) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.linear.default", "aten.bmm.default"}));
    MethodMaps maps;
    for (const std::int32_t instruction : {0, 1}) {
        maps.debugHandles[InstructionId(instruction)] = {.handles = {DebugHandle(1), DebugHandle(2)},
                                                         .list = true};
        maps.delegates[InstructionId(instruction)] = {.backend = "XnnpackBackend", .identifiers = {}};
    }
    writer.setMaps("forward", maps);
    const Record record = recordOf(writer);
    const auto traceOfTwo = [](int products) {
        TraceWriter trace;
        trace.beginRun("Execute");
        for (const std::int32_t instruction : {0, 1}) {
            for (int i = 0; i < products; ++i) {
                trace.profile("", delegated(instruction, "Fully Connected (NC, F32) #" + std::to_string(i)),
                              0, 1);
            }
            writeDelegateCall(trace, instruction);
        }
        return traceOf(trace);
    };
    EXPECT_EQ(complaint(traceOfTwo(1), record), "");
    EXPECT_EQ(complaint(traceOfTwo(2), record), "");
    EXPECT_NE(complaint(traceOfTwo(3), record), "");
}

/// Lowering adds and replaces kernels, which is not a contradiction.
TEST(RecordFits, AfterLowering) {
    const std::vector<std::pair<std::string, std::string>> pairs{
        {"linear.out", "aten.addmm.default"},
        {"conv2d.out", "aten.convolution.default"},
        {"full.out", "aten.convolution.default"},
        {"_to_dim_order_copy.out", "aten.convolution.default"},
        {"view.out", "aten.view_copy.default"},
        {"quantized_add.out", "aten.add.Tensor"},
        {"quantized_max_pool2d.out", "aten.max_pool2d_with_indices.default"},
        {"quantized_fully_connected.per_tensor_out", "cadence.quantized_linear.per_tensor"},
        {"sum.IntList_out", "aten.sum.dim_IntList"},
        {"sym_size.int", "sym_size.int"},
        {"llama::custom_sdpa.out", "llama.custom_sdpa.default"},
    };
    for (const auto& [kernel, op] : pairs) {
        EXPECT_EQ(complaint(traceFor({kernel}), recordFor({op})), "");
    }
    for (const auto& [kernel, op] :
         {std::pair("add.out", "aten.addmm.default"), std::pair("mul.out", "aten.add.Tensor")}) {
        EXPECT_NE(complaint(traceFor({kernel}), recordFor({op})), "");
    }
}

// Kernels without a handle may follow or be in between: caches, copies back into buffers.
TEST(RecordFits, WithUnmappedKernels) {
    RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph({"aten.mm.default", "aten.add.Tensor"}));
    MethodMaps maps;
    maps.debugHandles[InstructionId(0)] = {.handles = {DebugHandle(1)}, .list = false};
    maps.debugHandles[InstructionId(2)] = {.handles = {DebugHandle(2)}, .list = false};
    writer.setMaps("forward", maps);
    EXPECT_EQ(
        complaint(traceFor({"mm.out", "llama::update_cache.out", "add.out", "copy_.out"}), recordOf(writer)),
        "");
}

// Instructions may be missing after a jump, or in an aborted run.
TEST(RecordFits, WithUnreachedInstructions) {
    for (const bool jump : {false, true}) {
        TraceWriter writer;
        writer.beginRun("Execute");
        writeKernel(writer, 0, "native_call_mm.out");
        if (jump) {
            writer.profile("JF_CALL", at(1), 0, 1);
            writeExecute(writer);
        }
        EXPECT_EQ(complaint(traceOf(writer), recordFor({"aten.mm.default", "aten.sub.Tensor"})), "");
    }
}

}  // namespace
}  // namespace et::test

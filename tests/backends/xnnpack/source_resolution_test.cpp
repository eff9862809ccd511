// Tests that the time of every XNNPACK operator is traced back to Edge nodes and Python lines: with this
// runtime on every program that has an ETRecord, and in traces of ExecuTorch, which only contain names.

#include "backends/builtin.h"
#include "bundled_program/bundle.h"
#include "bundled_program/compare.h"
#include "etdump/recorder.h"
#include "etrecord/record.h"
#include "inspector/delegates/delegates.h"
#include "inspector/join/node_fields.h"
#include "runtime/executor/method.h"
#include "runtime/kernels/builtin.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace et::backends {
namespace {

namespace fs = std::filesystem;
using inspector::TimedOperator;
using ProgramPtr = std::shared_ptr<const program::Program>;
using TracePtr = std::shared_ptr<const etdump::Trace>;
using RecordPtr = std::shared_ptr<const etrecord::Record>;

constexpr int tracedRuns = 8;
constexpr std::string_view backendName = "XnnpackBackend";

/// Time of all operators of a trace, by resolution.
struct Resolved {
    double withLines = 0;  ///< resolved to Edge nodes, at least one with a Python line
    double layout = 0;
    double rest = 0;
    std::size_t operators = 0;
    std::set<std::string> unresolved;  ///< names

    [[nodiscard]] double all() const { return withLines + layout + rest; }
};

bool hasLine(const TimedOperator& op) {
    const auto lines = inspector::sourceLines(op.nodes);
    return !lines.empty();
}

/// True if `name` only moves or converts elements.
bool isLayout(std::string_view name) {
    return std::ranges::any_of(std::vector<std::string_view>{"Transpose", "Copy", "Convert", "Constant Pad",
                                                             "Static Reshape", "Slice"},
                               [name](std::string_view start) { return name.starts_with(start); });
}

Resolved resolve(const ProgramPtr& program, const TracePtr& trace, const RecordPtr& record,
                 std::string_view method) {
    Resolved out;
    const auto blocks =
        inspector::EventBlocks::build(trace, record, nullptr, {.method = std::string(method)});
    EXPECT_TRUE(blocks) << blocks.error().toString();
    const auto report = inspector::delegatesOf({.program = *program,
                                                .backends = backends::builtin(),
                                                .record = record.get(),
                                                .blocks = blocks->get(),
                                                .method = method});
    EXPECT_TRUE(report) << report.error().toString();
    for (const auto& delegate : report->methods.at(0).delegates) {
        for (const auto& call : delegate.calls) {
            if (delegate.delegate->backend != backendName || !call.parts) {
                continue;
            }
            EXPECT_NEAR(
                call.parts->operators + call.parts->layout + call.parts->unknown + call.parts->unexplained(),
                call.parts->whole, 1e-9 * call.parts->whole);
            out.operators += call.operators.size();
            for (const TimedOperator& op : call.operators) {
                if (op.is == TimedOperator::Is::EdgeNodes && hasLine(op)) {
                    out.withLines += op.time;
                } else if (op.is == TimedOperator::Is::Layout && isLayout(op.name)) {
                    out.layout += op.time;
                } else {
                    out.rest += op.time;
                    out.unresolved.insert(op.name);
                }
            }
        }
    }
    return out;
}

void expectResolved(const Resolved& found, const fs::path& file) {
    std::string names;
    for (const std::string& name : found.unresolved) {
        names += name + "\n";
    }
    EXPECT_LE(found.rest, 0.01 * found.all())
        << file << " leaves " << found.rest << " of " << found.all() << ":\n"
        << names;
}

/// Runs the method of the bundle's first case and returns its trace.
TracePtr traceOf(const ProgramPtr& program, const bundled_program::Bundle& bundle, std::string_view method) {
    const kernels::ThreadPool threads(1);
    auto recorder = etdump::Recorder::create({});
    EXPECT_TRUE(recorder);
    executor::Module module(program, {.kernels = kernels::builtin(),
                                      .backends = backends::builtin(),
                                      .threads = threads,
                                      .tracer = recorder->get()});
    const auto loaded = module.load(method);
    EXPECT_TRUE(loaded) << loaded.error().toString();
    const auto* suite = bundle.findSuite(method);
    if (!loaded || suite == nullptr || suite->cases.empty()) {
        return nullptr;
    }
    for (int run = 0; run < tracedRuns; ++run) {
        EXPECT_TRUE(bundled_program::setInputs(**loaded, suite->cases.front()));
        EXPECT_TRUE((*loaded)->execute());
    }
    const auto bytes = (*recorder)->trace();
    EXPECT_TRUE(bytes);
    auto trace = test::parseBytes<etdump::Trace>(*bytes);
    return trace ? *trace : nullptr;
}

bool hasXnnpack(const program::Method& method) {
    return std::ranges::contains(method.delegates, backendName, &program::Delegate::backend);
}

TEST(SourceResolutionTest, OurTracesOfEveryProgramWithARecord) {
    ET_NEEDS_SHARED_DATA();
    std::size_t programs = 0;
    Resolved sum;
    for (const fs::path& file : test::sharedFiles("programs", ".etrecord")) {
        const fs::path bundlePath = fs::path(file).replace_extension(".bpte");
        if (!fs::exists(bundlePath) || fs::exists(fs::path(file).replace_extension(".ptd"))) {
            continue;
        }
        const auto bundle = bundled_program::Bundle::open(bundlePath);
        ASSERT_TRUE(bundle) << bundlePath;
        const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
        ASSERT_TRUE(program) << bundlePath;
        const auto record = etrecord::Record::open(file);
        ASSERT_TRUE(record) << file;
        for (const program::Method& method : (*program)->methods) {
            const bool isRunnable = std::ranges::all_of(
                method.delegates, [](const auto& each) { return each.backend == backendName; });
            if (!hasXnnpack(method) || !isRunnable) {
                continue;
            }
            const TracePtr trace = traceOf(*program, **bundle, method.name);
            if (trace == nullptr) {
                continue;
            }
            ++programs;
            const Resolved found = resolve(*program, trace, *record, method.name);
            // XNNPACK's clock has microsecond resolution, so small programs may show no time.
            EXPECT_GT(found.operators, 0U) << file;
            expectResolved(found, file);
            sum.withLines += found.withLines;
            sum.layout += found.layout;
            sum.rest += found.rest;
        }
    }
    EXPECT_GE(programs, 20U);
    fmt::print("{} methods: {:.2f} % of operator time has a line, {:.2f} % is layout, {:.2f} % is neither\n",
               programs, 100 * sum.withLines / sum.all(), 100 * sum.layout / sum.all(),
               100 * sum.rest / sum.all());
}

TEST(SourceResolutionTest, TracesOfExecuTorchHaveNamesAlone) {
    ET_NEEDS_SHARED_DATA();
    struct Sample {
        const char* trace;
        const char* program;
    };
    for (const Sample& sample :
         {Sample{"mobilenet_v2_small_xnnpack", "mobilenet_v2_small/xnnpack"},
          Sample{"mobilenet_v2_small_xnnpack_q8", "mobilenet_v2_small/xnnpack_q8"},
          Sample{"simple_xnnpack", "simple/xnnpack"}, Sample{"simple_xnnpack_q8", "simple/xnnpack_q8"},
          Sample{"linear_xnnpack_debug", "linear/xnnpack"}}) {
        const fs::path base = test::sharedData() / "programs" / sample.program;
        const auto bundle = bundled_program::Bundle::open(base.string() + ".bpte");
        ASSERT_TRUE(bundle) << base;
        const auto program = program::Program::parse((*bundle)->file, (*bundle)->program);
        const auto record = etrecord::Record::open(base.string() + ".etrecord");
        const fs::path file = test::sharedData() / "traces" / sample.trace / "trace.etdp";
        const auto trace = etdump::Trace::open(file);
        ASSERT_TRUE(program && record && trace) << file;
        const Resolved found = resolve(*program, *trace, *record, (*program)->methods.front().name);
        EXPECT_GT(found.all(), 0) << file;
        expectResolved(found, file);
    }
}

}  // namespace
}  // namespace et::backends

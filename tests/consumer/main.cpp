// Writes a trace and reads it back, and opens a missing ETRecord: checks that the libraries found with
// find_package(et-inspect) compile, link and work in an external project.
#include "etdump/trace.h"
#include "etdump/writer.h"
#include "etrecord/record.h"
#include "runtime/builder/program_builder.h"
#include "runtime/executor/method.h"
#include "runtime/executor/plugin.h"
#include "runtime/kernels/builtin.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <span>
#include <utility>

namespace {

int failed(const et::core::Error& error) {
    std::fprintf(stderr, "%s\n", error.toString().c_str());
    return 1;
}

/// Builds a program that adds 1.5 to three numbers, and runs it.
int runProgram() {
    et::builder::ProgramBuilder builder;
    auto& forward = builder.method("forward");
    const auto x = forward.input({.sizes = {3}});
    const auto y = forward.intermediate({.sizes = {3}});
    forward.call("aten::add.Scalar_out", {x, 1.5, 1}, {y});
    forward.output(y);
    auto bytes = builder.finish();
    if (!bytes) {
        return failed(bytes.error());
    }
    const auto program =
        et::program::Program::parse(et::core::MappedFile::fromMemory(std::move(*bytes), "add.pte"));
    if (!program) {
        return failed(program.error());
    }
    const et::kernels::ThreadPool threads(2);
    et::executor::Module module(*program, {.kernels = et::kernels::builtin(), .threads = threads});
    const auto method = module.load("forward");
    if (!method) {
        return failed(method.error());
    }
    const std::array<float, 3> numbers{1, 2, 3};
    const std::array<std::int64_t, 1> sizes{3};
    const auto done = (*method)
                          ->setInput(0, et::executor::TensorInput{.sizes = sizes,
                                                                  .data = std::as_bytes(std::span(numbers))})
                          .and_then([&] { return (*method)->execute(); });
    if (!done) {
        return failed(done.error());
    }
    const auto* result = (*method)->output(0).as<et::core::Tensor>();
    if (result == nullptr || result->data<float>()[2] != 4.5F) {
        std::fputs("the program gives something else\n", stderr);
        return 1;
    }
    return 0;
}

}  // namespace

int main() {
    et::etdump::TraceWriter writer;
    writer.beginRun("Execute");
    writer.profile("OPERATOR_CALL", {.instruction = 3, .chain = 0}, 1'000, 4'500);
    const auto bytes = writer.finish();
    if (!bytes) {
        return failed(bytes.error());
    }
    std::ofstream("consumer.etdp", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));

    const auto trace = et::etdump::Trace::open("consumer.etdp");
    if (!trace) {
        return failed(trace.error());
    }
    const auto& events = (*trace)->events();
    if ((*trace)->eventCount() != 1 || (*trace)->text(events.name[0]) != "OPERATOR_CALL" ||
        et::etdump::elapsedTicks(events.start[0], events.end[0]) != 3'500u) {
        std::fputs("the trace reads back differently\n", stderr);
        return 1;
    }

    const auto record = et::etrecord::Record::open("no_such.etrecord");
    if (record || record.error().code != et::core::ErrorCode::Io) {
        std::fputs("a missing record was not refused\n", stderr);
        return 1;
    }
    const auto plugin = et::executor::Plugin::load(ET_OWN_KERNELS);
    if (!plugin) {
        return failed(plugin.error());
    }
    if (plugin->kernels().size() != 8) {
        std::fputs("the plugin lacks kernels\n", stderr);
        return 1;
    }
    if (runProgram() != 0) {
        return 1;
    }
    std::puts("ok");
}

// Cost of recording a program for the debugger, against plain runs in the same process: time, memory, and the
// time to go back, all in processor time on one thread. Arguments: a program, the number of executions
// (default 3), the budget in MB (default 1024), further arguments are its inputs as for --input. Does not use
// Google Benchmark.
//   write_resnet50 /tmp && timeline_time /tmp/resnet50.pte
//   timeline_time llama.pte 1000 64
#include "app/tasks/debug/timeline.h"
#include "app/tasks/model/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

namespace {

using et::tasks::Model;
using et::tasks::Timeline;

double secondsSince(std::clock_t start) {
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

et::core::Result<double> runPlain(const Model& model, const et::tasks::InputSet& inputs, std::size_t count) {
    et::executor::Module module = model.newModule(nullptr);
    ET_ASSIGN(et::executor::Method * method, module.load(model.method->description().name));
    ET_TRY(inputs.give(*method));
    ET_TRY(method->execute());
    const std::clock_t start = std::clock();
    for (std::size_t i = 0; i < count; ++i) {
        ET_TRY(inputs.give(*method));
        ET_TRY(method->execute());
    }
    return secondsSince(start);
}

et::core::Result<> runToEnd(Timeline& timeline) {
    bool more = true;
    while (more) {
        ET_ASSIGN(more, timeline.step());
    }
    return {};
}

et::core::Result<double> record(Timeline& timeline, const et::tasks::InputSet& inputs, std::size_t count) {
    const std::clock_t start = std::clock();
    for (std::size_t i = 0; i < count; ++i) {
        ET_TRY(timeline.begin(timeline.model().method->description().name,
                              {.values = inputs.values, .sources = inputs.sources}));
        ET_TRY(runToEnd(timeline));
    }
    return secondsSince(start);
}

/// The longest of jumps to earlier instructions, spread over the recording, each from its end.
et::core::Result<double> goBack(Timeline& timeline) {
    constexpr std::size_t jumps = 40;
    const std::size_t executions = timeline.executionCount();
    double longest = 0;
    for (std::size_t i = 0; i < jumps; ++i) {
        ET_TRY(timeline.jump({.execution = executions - 1, .step = UINT64_MAX}));
        const std::size_t execution = executions * i / jumps;
        const std::uint64_t steps = timeline.execution(execution).steps.value_or(1);
        const std::clock_t start = std::clock();
        ET_TRY(timeline.jump({.execution = execution, .step = steps * (i * 7 % jumps) / jumps}));
        longest = std::max(longest, secondsSince(start));
    }
    return longest;
}

et::core::Result<> measure(const std::string& path, std::size_t count, std::uint64_t megabytes,
                           std::vector<std::string> given) {
    const et::tasks::ModelOptions options{.inputs = std::move(given)};
    ET_ASSIGN(auto model, Model::open(path, options, nullptr));
    ET_ASSIGN(const auto inputs, model->inputs(options, [](std::string_view) {}));
    ET_ASSIGN(const double plain, runPlain(*model, inputs, count));
    const et::executor::MemoryReport memory = model->method->memory();
    const auto arena = std::accumulate(memory.arenas.begin(), memory.arenas.end(), std::uint64_t{0});
    ET_ASSIGN(const auto timeline, Timeline::make(std::move(model), {.budgetBytes = megabytes << 20}));
    ET_TRY(record(*timeline, inputs, 1));  // packs the weights
    ET_TRY(timeline->reset());
    ET_ASSIGN(const double recorded, record(*timeline, inputs, count));
    ET_ASSIGN(const double back, goBack(*timeline));
    const auto usage = timeline->usage();
    const auto bytes = static_cast<double>(usage.snapshotBytes);
    fmt::print("{} executions of {} instructions\n", count, timeline->execution(0).steps.value_or(0));
    fmt::print("plain {:.3f} s, recorded {:.3f} s: ratio {:.2f}\n", plain, recorded, recorded / plain);
    fmt::print("arena {:.1f} MB, snapshots {:.1f} MB in {} ({} removed): arena and snapshots {:.2f} arenas\n",
               static_cast<double>(arena) / 1e6, bytes / 1e6, usage.snapshots, usage.removedSnapshots,
               1 + bytes / static_cast<double>(std::max<std::uint64_t>(arena, 1)));
    fmt::print("longest way back {:.3f} s\n", back);
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "usage: timeline_time PROGRAM [EXECUTIONS [BUDGET_MB [INPUT...]]]\n");
        return 2;
    }
    const auto number = [&](int at, std::size_t usual) {
        return argc > at ? static_cast<std::size_t>(std::strtoull(argv[at], nullptr, 10)) : usual;
    };
    const std::vector<std::string> inputs(argv + std::min(argc, 4), argv + argc);
    const auto done = measure(argv[1], std::max<std::size_t>(number(2, 3), 1), number(3, 1024), inputs);
    if (!done) {
        fmt::print(stderr, "{}\n", done.error().toString());
        return 1;
    }
    return 0;
}

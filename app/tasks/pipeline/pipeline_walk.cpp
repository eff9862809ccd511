#include "app/tasks/pipeline/pipeline_walk.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/pipeline/host_steps.h"
#include "app/tasks/pipeline/pipeline_tensors.h"
#include "runtime/core/event_tracer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace et::tasks {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

class Walk {
  public:
    Walk(const Manifest& what, PipelineValues given, StageExecutor& runner, std::uint64_t limit,
         const StageObserver& called)
        : manifest(what), values(std::move(given)), executor(runner), maxBytes(limit), observer(called) {
        values.emplace("none", ReferenceTensor());
    }

    Result<> run(const std::vector<PipelineStage>& stages) {
        for (const PipelineStage& stage : stages) {
            if (InterruptionGuard::requested()) {
                return fail(ErrorCode::Cancelled, "interrupted");
            }
            ET_TRY(stage.loop ? repeat(stage) : call(stage));
        }
        return {};
    }
    PipelineValues take() { return std::move(values); }

  private:
    Result<> repeat(const PipelineStage& stage);
    Result<> call(const PipelineStage& stage);
    Result<std::vector<ReferenceTensor>> compute(const PipelineStage& stage,
                                                 std::span<const ReferenceTensor> inputs, CallTime& time);
    Result<> keep(const PipelineStage& stage, const std::vector<ReferenceTensor>& outputs);
    [[nodiscard]] std::unexpected<core::Error> at(const PipelineStage& stage, core::Error error) const;

    const Manifest& manifest;
    PipelineValues values;
    StageExecutor& executor;
    std::uint64_t maxBytes;
    const StageObserver& observer;
    std::vector<std::uint64_t> iterations;
    std::map<const PipelineStage*, std::uint64_t> calls;
    ValueLookup lookup = [this](std::string_view name) {
        const auto found = values.find(name);
        return found == values.end() || found->second.owner == nullptr ? nullptr : &found->second;
    };
};

/// Adds stage and iteration to the message.
std::unexpected<core::Error> Walk::at(const PipelineStage& stage, core::Error error) const {
    if (error.code == ErrorCode::Cancelled) {
        return std::unexpected(std::move(error));
    }
    const std::string iteration =
        iterations.empty() ? "" : fmt::format(", iteration {}", iterationText(iterations));
    const std::string field = error.where.field.empty() ? "" : fmt::format("{}: ", error.where.field);
    error.message =
        fmt::format("stage {}{}: {}{}", core::printable(stage.path), iteration, field, error.message);
    error.where.field.clear();
    return std::unexpected(std::move(error).in(manifest.path.string()));
}

Result<> Walk::repeat(const PipelineStage& stage) {
    const PipelineLoop& loop = *stage.loop;
    iterations.push_back(0);
    for (std::uint64_t i = 0; i < loop.most; ++i) {
        iterations.back() = i;  // nested loops move the elements
        if (!loop.counter.empty()) {
            const std::array number{static_cast<double>(i)};
            const std::array<std::int64_t, 1> sizes{1};
            ET_ASSIGN(values[loop.counter], tensorOf(number, core::ScalarType::Long, sizes));
        }
        ET_TRY(run(stage.stages));
        if (loop.until.empty()) {
            continue;
        }
        const auto isOver = expressionHolds(loop.until, lookup);
        if (!isOver) {
            return at(stage, isOver.error());
        }
        if (*isOver) {
            break;
        }
    }
    iterations.pop_back();
    return {};
}

Result<std::vector<ReferenceTensor>> Walk::compute(const PipelineStage& stage,
                                                   std::span<const ReferenceTensor> inputs, CallTime& time) {
    if (stage.step == nullptr) {
        return executor.call(stage, inputs, time);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].owner == nullptr) {
            return fail(ErrorCode::InvalidArgument, "expected a tensor, got none",
                        {.file = {}, .field = fmt::format("inputs[{}]", i), .offset = {}});
        }
    }
    return stage.step->run({.stage = stage, .inputs = inputs, .values = lookup, .call = calls[&stage]++});
}

Result<> Walk::keep(const PipelineStage& stage, const std::vector<ReferenceTensor>& outputs) {
    if (stage.outputs.size() > outputs.size()) {
        return fail(ErrorCode::Format,
                    fmt::format("expected {} outputs, got {}", stage.outputs.size(), outputs.size()));
    }
    for (std::size_t i = 0; i < stage.outputs.size(); ++i) {
        values[stage.outputs[i]] = outputs[i];
    }
    std::uint64_t bytes = 0;
    for (const auto& [name, value] : values) {
        bytes += value.view.bytes();
    }
    return bytes <= maxBytes
               ? Result<>()
               : fail(ErrorCode::Limit,
                      fmt::format("expected values of at most {} bytes, got {}", maxBytes, bytes));
}

Result<> Walk::call(const PipelineStage& stage) {
    std::vector<ReferenceTensor> inputs;
    for (const std::string& name : stage.inputs) {
        inputs.push_back(values.at(name));  // checked by the manifest; each loop runs at least once
    }
    CallTime time;
    const std::uint64_t start = core::EventTracer::now();
    auto outputs = compute(stage, inputs, time);
    const std::uint64_t total = core::EventTracer::now() - start;
    time.host = total - std::min(total, time.program);
    if (!outputs) {
        return at(stage, std::move(outputs).error());
    }
    if (auto kept = keep(stage, *outputs); !kept) {
        return at(stage, std::move(kept).error());
    }
    return observer ? observer({.stage = stage,
                                .iterations = iterations,
                                .inputs = inputs,
                                .outputs = *outputs,
                                .time = time})
                    : Result<>();
}

}  // namespace

std::string iterationText(std::span<const std::uint64_t> iterations) {
    return fmt::format("{}", fmt::join(iterations, "."));
}

Result<PipelineValues> walkPipeline(const Manifest& manifest, PipelineValues inputs, StageExecutor& executor,
                                    std::uint64_t maxBytes, const StageObserver& observer) {
    Walk walk(manifest, std::move(inputs), executor, maxBytes, observer);
    ET_TRY(walk.run(manifest.stages));
    return walk.take();
}

}  // namespace et::tasks

#pragma once

#include "app/tasks/model/model.h"
#include "app/tasks/pipeline/pipeline_walk.h"
#include "backends/reference/interpreter.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"
#include "runtime/executor/snapshot.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::tasks {

/// Memory and loading time of a program of a pipeline.
struct ProgramMemory {
    std::string name;
    std::filesystem::path file;
    std::uint64_t fileBytes = 0;
    std::uint64_t planned = 0;    ///< arenas of the methods used, shared ones once
    std::uint64_t constants = 0;  ///< mapped
    std::uint64_t packed = 0;     ///< weights packed by kernels and delegates
    std::uint64_t workspace = 0;  ///< of delegates and temporary tensors
    std::uint64_t loadNanoseconds = 0;
};

/// All programs of a pipeline, loaded at once.
class PipelinePrograms final : public StageExecutor {
  public:
    /// Loads the methods that stages call. `options`: libraries and limits. Errors: those of Model::open(),
    /// with the program's name in the manifest; Format (a stage passes another number of inputs).
    [[nodiscard]] static core::Result<std::unique_ptr<PipelinePrograms>> load(const Manifest& manifest,
                                                                              const ModelOptions& options);

    /// Forgets what the programs keep between executions.
    [[nodiscard]] core::Result<> reset();
    [[nodiscard]] core::Result<std::vector<ReferenceTensor>> call(const PipelineStage& stage,
                                                                  std::span<const ReferenceTensor> inputs,
                                                                  CallTime& time) override;

    /// The method that a stage calls.
    [[nodiscard]] const program::Method& method(const PipelineStage& stage) const;
    /// By program, in the order of the manifest.
    [[nodiscard]] std::vector<ProgramMemory> memory() const;

  private:
    struct Loaded {
        std::unique_ptr<Model> model;
        std::shared_ptr<const executor::Snapshot> initial;
        std::map<std::string, executor::Method*, std::less<>> methods;
        ProgramMemory memory;
    };
    PipelinePrograms() = default;
    core::Result<> add(const PipelineProgram& program, ModelOptions options);
    core::Result<> loadMethod(const PipelineStage& stage);
    [[nodiscard]] executor::Method& loaded(const PipelineStage& stage) const;

    std::vector<Loaded> programs;
    std::map<const PipelineStage*, executor::Method*> stages;
};

/// The graphs of the ETRecords of a pipeline, computed by the reference interpreter.
class PipelineReference final : public StageExecutor {
  public:
    /// `programs` provides signatures and must outlive it. Stages without an ETRecord run `otherwise` (null:
    /// they are an error). `only`: the stage that will be called; null: all. Errors: those of the records and
    /// of Interpreter::edge().
    [[nodiscard]] static core::Result<std::unique_ptr<PipelineReference>> load(
        const Manifest& manifest, const PipelinePrograms& programs, StageExecutor* otherwise,
        std::uint64_t maxBytes, const PipelineStage* only = nullptr);
    ~PipelineReference() override;

    [[nodiscard]] core::Result<std::vector<ReferenceTensor>> call(const PipelineStage& stage,
                                                                  std::span<const ReferenceTensor> inputs,
                                                                  CallTime& time) override;
    /// Whether the stage has a reference of its own.
    [[nodiscard]] bool covers(const PipelineStage& stage) const;
    /// Whether the graph of a covered stage mutates buffers.
    [[nodiscard]] bool keepsState(const PipelineStage& stage) const;

  private:
    explicit PipelineReference(const PipelinePrograms& of, StageExecutor* fallback)
        : programs(of), otherwise(fallback) {}
    core::Result<> add(const Manifest& manifest, const PipelineStage& stage, std::uint64_t maxBytes);

    const PipelinePrograms& programs;
    StageExecutor* otherwise;
    kernels::ThreadPool threads{1};
    std::map<std::size_t, std::shared_ptr<const etrecord::Record>> records;  ///< by program
    using MethodKey = std::pair<std::size_t, std::string>;
    std::map<MethodKey, std::unique_ptr<backends::reference::Interpreter>> interpreters;
};

}  // namespace et::tasks

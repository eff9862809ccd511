#pragma once

#include "app/tasks/model/element_fill.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The manifest of a pipeline (TOML, docs/how_to/pipelines.md): programs, input values and stages.
namespace et::tasks {

struct HostStep;

/// A program of a pipeline with its files.
struct PipelineProgram {
    std::string name;
    std::filesystem::path file;
    std::filesystem::path record;  ///< its ETRecord; empty: none
    std::vector<std::filesystem::path> weights;
};

/// An input or a constant of a pipeline: exactly one of `file`, `numbers` and `fill` is set.
struct PipelineInput {
    std::string name;
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
    std::filesystem::path file;  ///< `.npy`, `.wav` (samples [N]), or raw elements
    std::vector<double> numbers;
    std::optional<Fill> fill;
    std::uint64_t seed = 0;  ///< of Fill::Random
};

/// Parameters of a host step; each step uses some of them.
struct HostParameters {
    std::string expression;
    std::optional<core::ScalarType> dtype;
    std::vector<std::int64_t> sizes;
    std::optional<std::int64_t> dim;
    std::int64_t start = 0;
    std::optional<std::int64_t> length;
    double temperature = 0;
    double topP = 1;
    std::uint64_t seed = 0;
    std::int64_t rate = 16'000;
    std::int64_t bands = 80;
    std::int64_t frames = 0;
};

/// A loop over stages: ends after `most` iterations, or when `until` holds after an iteration.
struct PipelineLoop {
    std::uint64_t most = 0;
    std::string until;    ///< an expression; empty: never
    std::string counter;  ///< name of the value that counts iterations from 0; empty: none
};

/// A call of a program, a step on the host, or a loop.
struct PipelineStage {
    std::string name;
    std::string path;                      ///< with the loops that contain it: "denoise/unet"
    std::string field;                     ///< place in the file: "stages[1].stages[0]"
    std::optional<std::size_t> program{};  ///< index into Manifest::programs
    std::string method;
    const HostStep* step = nullptr;
    std::optional<PipelineLoop> loop{};
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    HostParameters parameters{};
    std::vector<PipelineStage> stages{};  ///< of a loop
};

/// A pipeline as described by its file. Paths are relative to the folder of the manifest, resolved.
struct Manifest {
    std::filesystem::path path;
    std::string name;
    std::vector<PipelineProgram> programs;
    std::vector<PipelineInput> inputs;
    std::vector<PipelineStage> stages;
    std::vector<std::string> outputs;  ///< values that are the result

    /// The stages and those inside loops, in order.
    [[nodiscard]] std::vector<const PipelineStage*> allStages() const;
};

/// Parses and checks a manifest: known keys, programs and steps, and values that exist when a stage reads
/// them. `path` names it in messages. Opens no other file. Errors: Format (names field, expected and actual
/// value), NotFound (a name that does not exist), Limit.
[[nodiscard]] core::Result<Manifest> parseManifest(std::string_view text, const std::filesystem::path& path);
/// Errors: Io, as above.
[[nodiscard]] core::Result<Manifest> readManifest(const std::filesystem::path& path);

}  // namespace et::tasks

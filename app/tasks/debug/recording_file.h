#pragma once

#include "app/tasks/debug/timeline.h"
#include "app/tasks/model/model.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::tasks {

/// A timeline in a file: methods, inputs, edits of all branches, and values that cannot be computed again.
/// Its executions run again when they are visited.
class RecordingFile {
  public:
    /// Maximum size of a recording that is sent to another process.
    static constexpr std::size_t maxBytes = std::size_t{200} << 20U;

    [[nodiscard]] static std::vector<std::byte> encode(const Timeline& timeline);
    /// A timeline of the same program, at its start. Errors: those of the file; Format (damaged), Mismatch
    /// (recorded from another program), those of Timeline::make().
    [[nodiscard]] static core::Result<std::unique_ptr<Timeline>> open(const std::filesystem::path& file,
                                                                      std::unique_ptr<Model> model,
                                                                      const TimelineOptions& options);
    /// The same, of encode()'s result.
    [[nodiscard]] static core::Result<std::unique_ptr<Timeline>> decode(core::Bytes recording,
                                                                        std::unique_ptr<Model> model,
                                                                        const TimelineOptions& options);
    /// Forgets recorded results of kernels of plugins, which then run again.
    static void forgetResults(Timeline& timeline);
    /// Why values may differ elsewhere, and which instructions are recorded by value instead of run again;
    /// one line each. Empty: nothing.
    [[nodiscard]] static std::vector<std::string> limitations(const Timeline& timeline);
};

}  // namespace et::tasks

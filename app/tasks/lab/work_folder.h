#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string_view>
#include <utility>

namespace et::app {

/// A folder of its own for files that nobody keeps: gone with it, with all that is in it, or, where the
/// process was killed, when the next one makes its own.
class WorkFolder {
  public:
    /// Errors: Io.
    [[nodiscard]] static core::Result<WorkFolder> make();
    WorkFolder(WorkFolder&& other) noexcept;
    WorkFolder& operator=(WorkFolder&& other) noexcept;
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    ~WorkFolder();

    [[nodiscard]] std::filesystem::path file(std::string_view name) const { return folder / name; }

  private:
    WorkFolder(std::filesystem::path at, core::Descriptor held)
        : folder(std::move(at)), lock(std::move(held)) {}
    void remove();

    std::filesystem::path folder;
    core::Descriptor lock;  ///< as long as it is held, the folder has an owner
};

}  // namespace et::app

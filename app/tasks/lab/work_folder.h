#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <string_view>
#include <utility>

namespace et::app {

/// A folder of its own for files that nobody keeps: gone with it, with all that is in it.
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
    explicit WorkFolder(std::filesystem::path at) : folder(std::move(at)) {}
    void remove();

    std::filesystem::path folder;
};

}  // namespace et::app

#pragma once

#include "runtime/core/descriptor.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string_view>
#include <utility>

namespace et::tasks {

/// A temporary folder, deleted with this object and its contents or, if the process was killed, when another
/// one is created.
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
    core::Descriptor lock;  ///< while it is held, the folder is in use
};

}  // namespace et::tasks

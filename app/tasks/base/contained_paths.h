#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace et::tasks {

/// Converts names from a file, such as those in an archive, to paths inside a folder: none leaves it, and
/// none is given twice. Folders of names with '/' are kept. A component that is not a file name ("..", "",
/// control characters) is changed, and a name that another one excludes gets a number: "a_2".
class ContainedPaths {
  public:
    [[nodiscard]] std::filesystem::path add(std::string_view name);

  private:
    [[nodiscard]] bool isFree(const std::filesystem::path& path) const;

    std::set<std::filesystem::path> files;
    std::set<std::filesystem::path> folders;
    std::map<std::string, std::size_t> numbers;  ///< last number by name
};

}  // namespace et::tasks

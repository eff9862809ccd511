#include "tests/architecture/source_tree.h"

#include "tests/support/shared_data.h"

#include <algorithm>
#include <set>

namespace et::architecture {
namespace {

namespace fs = std::filesystem;

bool isSkipped(const fs::path& folder) {
    const std::string name = folder.filename().string();
    return name.starts_with('.') || name == "build" || fs::exists(folder / "CMakeCache.txt");
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// Returns the text after "#include" on a line; empty for any other line.
std::string_view includeArgument(std::string_view line) {
    line = trimmed(line);
    if (!line.starts_with('#')) {
        return {};
    }
    line = trimmed(line.substr(1));
    constexpr std::string_view keyword = "include";
    return line.starts_with(keyword) ? trimmed(line.substr(keyword.size())) : std::string_view();
}

}  // namespace

fs::path checkout() {
    return ET_SOURCE_DIR;
}

std::vector<Include> includesOf(std::string_view text) {
    std::vector<Include> includes;
    std::size_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = text.find('\n');
        const std::string_view argument = includeArgument(text.substr(0, end));
        if (!argument.empty() && (argument[0] == '"' || argument[0] == '<')) {
            const char closing = argument[0] == '"' ? '"' : '>';
            const std::string_view target = argument.substr(1, argument.find(closing, 1) - 1);
            includes.push_back({.target = std::string(target), .quoted = argument[0] == '"', .line = number});
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return includes;
}

std::vector<SourceFile> readTree(const fs::path& root, const std::vector<std::string_view>& endings) {
    std::vector<SourceFile> files;
    for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator();
         ++entry) {
        if (entry->is_directory() && isSkipped(entry->path())) {
            entry.disable_recursion_pending();
            continue;
        }
        const std::string name = entry->path().filename().string();
        const bool wanted =
            std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
        if (entry->is_regular_file() && wanted) {
            files.push_back({.path = entry->path().lexically_relative(root).generic_string(),
                             .text = test::readText(entry->path())});
        }
    }
    std::ranges::sort(files, {}, &SourceFile::path);
    return files;
}

std::vector<SourceFile> readSources(const fs::path& root) {
    return readTree(root, {".h", ".hpp", ".hh", ".inl", ".cpp", ".cc", ".cxx", ".c"});
}

std::vector<std::string> sourceFolders(const std::vector<SourceFile>& sources) {
    std::set<std::string> folders;
    for (const SourceFile& file : sources) {
        folders.insert(file.path.substr(0, file.path.find('/')));
    }
    return {folders.begin(), folders.end()};
}

}  // namespace et::architecture

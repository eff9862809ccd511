#include "app/tasks/base/contained_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <vector>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longestComponent = 200;
constexpr std::size_t longestPath = 1024;
constexpr std::size_t mostComponents = 16;

std::string componentOf(std::string_view text) {
    std::string name(text.substr(0, longestComponent));
    std::ranges::replace_if(
        name,
        [](char each) {
            constexpr char lastControl = 31;
            constexpr char deleted = 127;
            return (each >= 0 && each <= lastControl) || each == deleted || each == '\\' || each == '/';
        },
        '_');
    return name.empty() || name == "." || name == ".." ? "_" + name : name;
}

fs::path flatPath(std::string_view name) {
    std::string flat(name);
    std::ranges::replace(flat, '/', '_');
    return componentOf(flat);
}

}  // namespace

fs::path ContainedPaths::add(std::string_view name) {
    fs::path path;
    std::size_t components = 0;
    for (const auto part : std::views::split(name, '/')) {
        path /= componentOf(std::string_view(part));
        ++components;
    }
    if (path.empty() || components > mostComponents || name.size() > longestPath || !isFree(path)) {
        path = flatPath(name);
    }
    const std::string wanted = path.string();
    while (!isFree(path)) {
        path = fmt::format("{}_{}", wanted, numbers[wanted] = std::max<std::size_t>(numbers[wanted], 1) + 1);
    }
    files.insert(path);
    for (fs::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
        folders.insert(folder);
    }
    return path;
}

bool ContainedPaths::isFree(const fs::path& path) const {
    if (files.contains(path) || folders.contains(path)) {
        return false;
    }
    for (fs::path folder = path.parent_path(); !folder.empty(); folder = folder.parent_path()) {
        if (files.contains(folder)) {
            return false;
        }
    }
    return true;
}

}  // namespace et::tasks

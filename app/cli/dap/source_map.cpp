#include "app/cli/dap/source_map.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace et::cli::dap {
namespace {

bool isSeparator(char each) {
    return each == '/' || each == '\\';
}

std::string_view fileName(std::string_view path) {
    return path.substr(path.find_last_of("/\\") + 1);
}

/// Number of trailing components that two paths share.
std::size_t commonComponents(std::string_view left, std::string_view right) {
    std::size_t components = 0;
    while (!left.empty() && !right.empty() && fileName(left) == fileName(right)) {
        ++components;
        for (std::string_view* path : {&left, &right}) {
            path->remove_suffix(fileName(*path).size());
            while (!path->empty() && isSeparator(path->back())) {
                path->remove_suffix(1);
            }
        }
    }
    return components;
}

}  // namespace

SourceMap::SourceMap(const JsonValue& instructions) {
    for (const JsonValue& each : instructions.items()) {
        if (const auto source = readSource(each["source"])) {
            instructionsByFile[source->file][source->line].push_back(
                {.instruction = each["instruction"].integer().value_or(0), .op = each["operator"].text()});
        }
    }
}

std::string SourceMap::recordFile(std::string_view clientPath) const {
    std::string best;
    std::size_t most = 0;
    for (const auto& [file, lines] : instructionsByFile) {
        const std::size_t common = commonComponents(file, clientPath);
        if (common > most) {
            most = common;
            best = file;
        }
    }
    return best;
}

Dict SourceMap::source(const std::string& recordFile) const {
    const auto known = clientPaths.find(recordFile);
    return {{"name", std::string(fileName(recordFile))},
            {"path", known == clientPaths.end() ? recordFile : known->second}};
}

void SourceMap::setClientPath(const std::string& recordFile, std::string clientPath) {
    clientPaths[recordFile] = std::move(clientPath);
}

std::map<std::int64_t, std::vector<MappedInstruction>> SourceMap::lines(const std::string& recordFile,
                                                                        std::int64_t first,
                                                                        std::int64_t last) const {
    const auto file = instructionsByFile.find(recordFile);
    if (file == instructionsByFile.end() || first > last) {
        return {};
    }
    return {file->second.lower_bound(first), file->second.upper_bound(last)};
}

std::vector<std::string> SourceMap::files() const {
    std::vector<std::string> all;
    for (const auto& [file, lines] : instructionsByFile) {
        all.push_back(file);
    }
    return all;
}

}  // namespace et::cli::dap

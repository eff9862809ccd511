#include "inspector/program_diff/program_diff.h"

#include "inspector/program_diff/detail/constant_comparison.h"
#include "inspector/program_diff/detail/method_diff.h"
#include "runtime/executor/module_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace et::inspector {
namespace {

using core::Result;

constexpr std::array changes{
    ChangeInfo{Change::Same, "same", ' '}, ChangeInfo{Change::Changed, "changed", '~'},
    ChangeInfo{Change::Added, "added", '+'}, ChangeInfo{Change::Removed, "removed", '-'}};

std::uint64_t segmentBytes(const program::Program& program) {
    std::uint64_t sum = 0;
    for (const program::Segment& segment : program.segments) {
        sum += segment.data.size();
    }
    return sum;
}

/// Total file size, which limits the bytes that the comparison of constants may read.
std::uint64_t fileBytes(const DiffSide& side) {
    std::uint64_t sum = side.program.bytes.size();
    for (const auto& file : side.tensorData) {
        sum += file->file->bytes().size();
    }
    return sum;
}

struct Blob {
    core::Bytes bytes;
    bool external = false;
};

/// Blobs by name; the program's own take precedence.
std::map<std::string_view, Blob> collectBlobs(const DiffSide& side) {
    std::map<std::string_view, Blob> blobs;
    for (const program::NamedData& each : side.program.namedData) {
        blobs.emplace(each.key, Blob{.bytes = each.data});
    }
    for (const auto& file : side.tensorData) {
        for (const program::TensorDataEntry& entry : file->entries) {
            blobs.emplace(entry.name, Blob{.bytes = entry.data, .external = true});
        }
    }
    return blobs;
}

using MethodsByName = std::map<std::string_view, const program::Method*>;

MethodsByName indexMethods(const program::Program& program) {
    MethodsByName methods;
    for (const program::Method& each : program.methods) {
        methods.emplace(each.name, &each);
    }
    return methods;
}

class Differ {
  public:
    Differ(const DiffSide& left, const DiffSide& right, const DiffOptions& how)
        : before(left),
          after(right),
          options(how),
          dataBefore(left.program, left.tensorData),
          dataAfter(right.program, right.tensorData),
          comparer(fileBytes(left) + fileBytes(right)) {}

    Result<ProgramDiff> diff() {
        result.names = {before.name, after.name};
        result.fileBytes = {before.program.bytes.size(), after.program.bytes.size()};
        result.segmentBytes = {segmentBytes(before.program), segmentBytes(after.program)};
        result.identical = std::ranges::equal(before.program.bytes, after.program.bytes);
        const MethodsByName left = indexMethods(before.program);
        const MethodsByName right = indexMethods(after.program);
        for (const program::Method& method : before.program.methods) {
            const auto other = right.find(method.name);
            ET_TRY(diffMethod(method, other == right.end() ? nullptr : other->second));
        }
        for (const program::Method& method : after.program.methods) {
            if (wanted(method) && !left.contains(method.name)) {
                ET_ASSIGN(MethodDiff added, program_diff::detail::loneMethod(sideAfter(method), Change::Added,
                                                                             options.backends));
                result.methods.push_back(std::move(added));
            }
        }
        if (result.methods.empty() && !options.method.empty()) {
            return core::fail(core::ErrorCode::NotFound,
                              fmt::format("neither program has a method \"{}\"; available: {}",
                                          options.method, methodNames()));
        }
        ET_TRY(diffNamedData());
        return std::move(result);
    }

  private:
    [[nodiscard]] bool wanted(const program::Method& method) const {
        return options.method.empty() || method.name == options.method;
    }

    [[nodiscard]] program_diff::detail::MethodSide sideBefore(const program::Method& method) const {
        return {.method = method, .tensorData = before.tensorData, .namedData = dataBefore};
    }
    [[nodiscard]] program_diff::detail::MethodSide sideAfter(const program::Method& method) const {
        return {.method = method, .tensorData = after.tensorData, .namedData = dataAfter};
    }

    Result<> diffMethod(const program::Method& method, const program::Method* other) {
        if (!wanted(method)) {
            return {};
        }
        if (other == nullptr) {
            ET_ASSIGN(MethodDiff removed, program_diff::detail::loneMethod(
                                              sideBefore(method), Change::Removed, options.backends));
            result.methods.push_back(std::move(removed));
            return {};
        }
        ET_ASSIGN(MethodDiff found, program_diff::detail::diffMethods(sideBefore(method), sideAfter(*other),
                                                                      options.backends, comparer));
        result.methods.push_back(std::move(found));
        return {};
    }

    [[nodiscard]] std::string methodNames() const {
        std::set<std::string_view> names;
        for (const program::Program* each : {&before.program, &after.program}) {
            for (const program::Method& method : each->methods) {
                names.insert(method.name);
            }
        }
        return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
    }

    Result<> diffNamedData() {
        const auto left = collectBlobs(before);
        const auto right = collectBlobs(after);
        for (const auto& [name, blob] : left) {
            const auto found = right.find(name);
            if (found == right.end()) {
                result.namedData.push_back({.change = Change::Removed,
                                            .name = std::string(name),
                                            .bytes = {blob.bytes.size(), 0},
                                            .external = blob.external});
                continue;
            }
            ET_ASSIGN(const program_diff::detail::ElementDifference difference,
                      comparer.compare({.name = {}, .dtype = {}, .bytes = blob.bytes},
                                       {.name = {}, .dtype = {}, .bytes = found->second.bytes}));
            if (difference.different > 0) {
                result.namedData.push_back({.change = Change::Changed,
                                            .name = std::string(name),
                                            .bytes = {blob.bytes.size(), found->second.bytes.size()},
                                            .external = blob.external || found->second.external});
            }
        }
        for (const auto& [name, blob] : right) {
            if (!left.contains(name)) {
                result.namedData.push_back({.change = Change::Added,
                                            .name = std::string(name),
                                            .bytes = {0, blob.bytes.size()},
                                            .external = blob.external});
            }
        }
        std::ranges::sort(result.namedData, {}, &NamedDataDiff::name);
        return {};
    }

    const DiffSide& before;
    const DiffSide& after;
    const DiffOptions& options;
    executor::ModuleData dataBefore, dataAfter;
    program_diff::detail::ConstantComparer comparer;
    ProgramDiff result;
};

}  // namespace

const ChangeInfo& traits(Change change) {
    return *std::ranges::find(changes, change, &ChangeInfo::change);
}

std::size_t MethodDiff::count(Change kind) const {
    return static_cast<std::size_t>(std::ranges::count(steps, kind, &StepDiff::change));
}

bool ProgramDiff::same() const {
    return namedData.empty() &&
           std::ranges::all_of(methods, [](const MethodDiff& each) { return each.change == Change::Same; });
}

const MethodDiff* ProgramDiff::findMethod(std::string_view name) const {
    const auto found = std::ranges::find(methods, name, &MethodDiff::name);
    return found == methods.end() ? nullptr : &*found;
}

Result<ProgramDiff> diffPrograms(const DiffSide& before, const DiffSide& after, const DiffOptions& options) {
    return Differ(before, after, options).diff();
}

}  // namespace et::inspector

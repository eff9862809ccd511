#include "app/tasks/model/neighbour_data.h"

#include "inspector/external_data/data_check.h"
#include "inspector/external_data/external_needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;

/// False if it certainly needs nothing. Fast, because it runs whenever a model is opened.
bool mayNeedData(const program::Program& program) {
    return std::ranges::any_of(program.methods, [](const program::Method& method) {
        return !method.delegates.empty() ||
               std::ranges::any_of(method.values, [](const program::Value& value) {
                   const auto* const tensor = value.as<program::TensorInfo>();
                   return tensor != nullptr && tensor->initialData == program::InitialData::External;
               });
    });
}

/// Tensor data files in a folder, starting with those named like the program. Skips files that cannot be
/// read.
std::vector<NeighbourData> tensorDataIn(const fs::path& folder, const std::string& stem) {
    std::vector<NeighbourData> found;
    std::error_code failed;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        if (entry->path().extension() != ".ptd") {
            continue;
        }
        const fs::path path = folder.empty() ? entry->path().filename() : entry->path();
        if (auto data = program::TensorData::open(path)) {
            found.push_back({.path = path, .data = *std::move(data)});
        }
    }
    const auto isOwn = [&](const NeighbourData& each) {
        return each.path.filename().string().starts_with(stem + ".");
    };
    std::ranges::sort(found, [&](const NeighbourData& a, const NeighbourData& b) {
        return std::pair(!isOwn(a), a.path) < std::pair(!isOwn(b), b.path);
    });
    return found;
}

/// The names in the files that the program needs but does not contain.
class Wanted {
  public:
    Wanted(const program::Program& program, const std::vector<NeighbourData>& files) {
        std::set<std::string_view> all;
        for (const NeighbourData& file : files) {
            for (const program::TensorDataEntry& entry : file.data->entries) {
                all.insert(entry.name);
            }
        }
        const std::vector<std::string_view> names(all.begin(), all.end());
        needs = inspector::externalNeeds(program, names);
    }

    /// Whether the program reads the entry, and its layout fits.
    [[nodiscard]] bool has(const program::TensorDataEntry& entry) const {
        const inspector::ExternalNeed* const need = needs.find(entry.name);
        return need != nullptr &&
               (need->tensor == nullptr || !inspector::layoutDifference(*need->tensor, entry));
    }

    /// Why a file that contains a wanted name does not fit; nothing if it does.
    [[nodiscard]] std::optional<std::string> difference(const program::TensorDataEntry& entry) const {
        const inspector::ExternalNeed* const need = needs.find(entry.name);
        return need == nullptr || need->tensor == nullptr ? std::nullopt
                                                          : inspector::layoutDifference(*need->tensor, entry);
    }

  private:
    inspector::ExternalNeeds needs;
};

using Holders = std::map<std::string_view, const NeighbourData*>;

/// Rejects a name that files only contain with another layout.
Result<> rejectOtherLayouts(const Wanted& wanted, const std::vector<NeighbourData>& files,
                            const Holders& holders, const fs::path& program) {
    for (const NeighbourData& file : files) {
        for (const program::TensorDataEntry& entry : file.data->entries) {
            const auto difference = wanted.difference(entry);
            if (!difference || holders.contains(entry.name)) {
                continue;
            }
            return core::fail(
                core::ErrorCode::Mismatch,
                fmt::format("{0}, found next to it, is not used: \"{1}\" {2}. {0} belongs to another export; "
                            "if that wrote into the folder of {3}, it replaced the weights of {3}: choose "
                            "another file with --data, or export {3} again into a separate folder",
                            core::printable(file.path.filename().string()), core::printable(entry.name),
                            *difference, core::printable(program.filename().string())));
        }
    }
    return {};
}

}  // namespace

Result<std::vector<NeighbourData>> findTensorData(const program::Program& program, const fs::path& file) {
    std::vector<NeighbourData> found;
    if (!mayNeedData(program)) {
        return found;
    }
    const std::string stem = file.stem().string();
    const std::vector<NeighbourData> files = tensorDataIn(file.parent_path(), stem);
    if (files.empty()) {
        return found;
    }
    const Wanted wanted(program, files);
    Holders holders;
    for (const NeighbourData& each : files) {
        bool gives = false;
        for (const program::TensorDataEntry& entry : each.data->entries) {
            if (!wanted.has(entry)) {
                continue;
            }
            const auto [holder, fresh] = holders.emplace(entry.name, &each);
            gives = gives || fresh;
            const bool own = holder->second->path.filename().string().starts_with(stem + ".");
            if (!fresh && !own &&
                !std::ranges::equal(holder->second->data->find(entry.name)->data, entry.data)) {
                return core::fail(
                    core::ErrorCode::Mismatch,
                    fmt::format(
                        "needs \"{}\", which {} and {} contain with different data: choose one with --data",
                        core::printable(entry.name), holder->second->path.filename().string(),
                        each.path.filename().string()));
            }
        }
        if (gives) {
            found.push_back(each);
        }
    }
    ET_TRY(rejectOtherLayouts(wanted, files, holders, file));
    return found;
}

}  // namespace et::tasks

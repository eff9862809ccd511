#include "app/tasks/model/neighbour_data.h"

#include "backends/payload_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::Result;
using program::TensorInfo;

/// Bytes of the tensors stored outside the program, by name.
std::map<std::string_view, std::uint64_t> externalTensors(const program::Program& program) {
    std::map<std::string_view, std::uint64_t> names;
    for (const program::Method& method : program.methods) {
        for (const program::Value& value : method.values) {
            const auto* tensor = value.as<TensorInfo>();
            if (tensor != nullptr && tensor->initialData == program::InitialData::External) {
                names.emplace(tensor->name,
                              tensor->byteSize ? static_cast<std::uint64_t>(*tensor->byteSize) : 0);
            }
        }
    }
    return names;
}

bool hasDelegates(const program::Program& program) {
    return std::ranges::any_of(program.methods,
                               [](const program::Method& each) { return !each.delegates.empty(); });
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

/// Names in the files that the program needs but does not contain: for its tensors, and in the payloads of
/// its delegates.
class Wanted {
  public:
    Wanted(const program::Program& from, const std::vector<NeighbourData>& files)
        : program(from), tensors(externalTensors(from)) {
        std::set<std::string_view> all;
        for (const NeighbourData& file : files) {
            for (const program::TensorDataEntry& entry : file.data->entries) {
                all.insert(entry.name);
            }
        }
        for (const program::NamedData& own : program.namedData) {
            all.erase(own.key);
        }
        const std::vector<std::string_view> names(all.begin(), all.end());
        for (const program::Method& method : program.methods) {
            for (const program::Delegate& delegate : method.delegates) {
                for (const std::size_t name : backends::namesIn(delegate.payload, names)) {
                    payloadNames.insert(names[name]);
                }
            }
        }
    }

    [[nodiscard]] bool has(const program::TensorDataEntry& entry) const {
        const auto tensor = tensors.find(entry.name);
        return payloadNames.contains(entry.name) ||
               (tensor != tensors.end() && entry.data.size() >= tensor->second);
    }

  private:
    const program::Program& program;
    std::map<std::string_view, std::uint64_t> tensors;
    std::set<std::string_view> payloadNames;
};

}  // namespace

Result<std::vector<NeighbourData>> findTensorData(const program::Program& program, const fs::path& file) {
    std::vector<NeighbourData> found;
    if (externalTensors(program).empty() && !hasDelegates(program)) {
        return found;
    }
    const std::string stem = file.stem().string();
    const std::vector<NeighbourData> files = tensorDataIn(file.parent_path(), stem);
    if (files.empty()) {
        return found;
    }
    const Wanted wanted(program, files);
    std::map<std::string_view, const NeighbourData*> holders;
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
    return found;
}

}  // namespace et::tasks

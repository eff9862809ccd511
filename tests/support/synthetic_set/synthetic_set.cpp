#include "tests/support/synthetic_set/synthetic_set.h"

#include "tests/support/synthetic_set/record.h"
#include "tests/support/synthetic_set/trace.h"
#include "tests/support/synthetic_set/values.h"

#include <fstream>
#include <utility>

namespace et::test::synthetic {

core::Result<std::vector<SetFile>> makeSet() {
    ET_ASSIGN(TraceFiles traced, makeTrace(computeValues()));
    ET_ASSIGN(std::vector<std::byte> record, makeRecord());
    std::vector<SetFile> files;
    files.push_back({.name = "conv_net.etdp", .bytes = std::move(traced.trace)});
    files.push_back({.name = "conv_net_debug.bin", .bytes = std::move(traced.debugBuffer)});
    files.push_back({.name = "conv_net.etrecord", .bytes = std::move(record)});
    return files;
}

core::Result<std::vector<std::filesystem::path>> writeSet(const std::filesystem::path& folder) {
    ET_ASSIGN(const std::vector<SetFile> files, makeSet());
    std::vector<std::filesystem::path> paths;
    for (const SetFile& file : files) {
        paths.push_back(folder / file.name);
        std::ofstream stream(paths.back(), std::ios::binary | std::ios::trunc);
        stream.write(reinterpret_cast<const char*>(file.bytes.data()),
                     static_cast<std::streamsize>(file.bytes.size()));
        if (!stream.flush()) {
            return core::fail(core::ErrorCode::Io, "cannot write the file",
                              {.file = paths.back().string(), .field = {}, .offset = {}});
        }
    }
    return paths;
}

}  // namespace et::test::synthetic

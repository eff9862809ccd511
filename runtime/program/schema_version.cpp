#include "runtime/program/schema_version.h"

#include <fmt/format.h>

namespace et::program {

std::string schemaVersionRemark(std::uint32_t version) {
    return version <= highestSchemaVersion
               ? std::string()
               : fmt::format("schema version {} is newer than the highest ({}) that ExecuTorch reads",
                             version, highestSchemaVersion);
}

}  // namespace et::program

#include "app/tasks/output_file.h"

#include "runtime/core/file_replacement.h"

namespace et::cli {

core::Result<> writeFile(const std::filesystem::path& path, const Producer& producer) {
    ET_ASSIGN(core::FileReplacement file, core::FileReplacement::open(path));
    // A pipe whose reader went away has had all that it wanted.
    ET_TRY(writeTo(file.descriptor(), path.string(), producer));
    return file.finish();
}

}  // namespace et::cli

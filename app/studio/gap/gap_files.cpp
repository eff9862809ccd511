#include "app/studio/gap/gap_files.h"

#include "app/tasks/gap/gap_files.h"

#include <QFile>
#include <QFileInfo>

namespace et::studio {

GapFiles::GapFiles(const tasks::GapSettings& request) : program(!request.program.empty()) {
    for (const std::filesystem::path& path : tasks::inputsOf(request)) {
        const QFileInfo file(QFile::decodeName(path.c_str()));
        all.push_back({path, file.lastModified(), file.size()});
    }
}

}  // namespace et::studio

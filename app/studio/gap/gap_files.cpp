#include "app/studio/gap/gap_files.h"

#include <QFile>
#include <QFileInfo>

namespace et::studio {

GapFiles::GapFiles(const GapRequest& request) : program(!request.program.empty()) {
    for (const auto* const path :
         {&request.record, &request.program, &request.tensorData, &request.trace, &request.debugBuffer}) {
        const QFileInfo file(QFile::decodeName(path->c_str()));
        all.push_back({*path, file.lastModified(), file.size()});
    }
}

}  // namespace et::studio

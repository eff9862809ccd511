#pragma once

#include "visualizers/lab/lab_study.h"

#include <QByteArray>
#include <QDataStream>
#include <QString>
#include <QStringList>

#include <filesystem>
#include <memory>
#include <vector>

namespace et::studio {

/// A study of the lab as it is kept, in the window's settings and in session files: it is shown again when
/// the same record is open.
struct KeptLab {
    QByteArray record{};      ///< labFingerprint() of the record; empty: nothing is kept
    QByteArray study{};       ///< LabStudy::json
    QByteArray candidates{};  ///< labCandidatesJson()
    QStringList schemes{};    ///< schemeEntries() of what was chosen
    QString calibration{};    ///< empty: the bundled program of the session
    QString evaluation{};     ///< empty: as `calibration`

    bool operator==(const KeptLab&) const = default;
};

/// Nothing is written of a study of more than 4 MiB.
QDataStream& operator<<(QDataStream& stream, const KeptLab& kept);
/// Fails as any stream does where its bytes are not all there, and leaves it empty.
QDataStream& operator>>(QDataStream& stream, KeptLab& kept);

/// Of the directory at a record's end, which has a checksum of all that is in it; empty where it cannot be
/// read. The same wherever the file lies.
[[nodiscard]] QByteArray labFingerprint(const std::filesystem::path& record);

}  // namespace et::studio

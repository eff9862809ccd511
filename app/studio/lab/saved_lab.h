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

/// A saved study of the lab, in the window's settings and in session files; restored when the same record is
/// open.
struct SavedLab {
    QByteArray record{};      ///< labFingerprint() of the record; empty: nothing saved
    QByteArray study{};       ///< LabStudy::json
    QByteArray candidates{};  ///< labCandidatesJson()
    QStringList schemes{};    ///< schemeEntries() of the choice
    QString calibration{};    ///< empty: the bundled program of the session
    QString evaluation{};     ///< empty: same as `calibration`

    bool operator==(const SavedLab&) const = default;
};

/// A study of more than 4 MiB is not written.
QDataStream& operator<<(QDataStream& stream, const SavedLab& kept);
/// On truncated data, sets the stream's error status and leaves `kept` empty.
QDataStream& operator>>(QDataStream& stream, SavedLab& kept);

/// Hash of the directory at a record's end, which contains checksums of all its files; empty if unreadable.
/// Independent of the file's location.
[[nodiscard]] QByteArray labFingerprint(const std::filesystem::path& record);

}  // namespace et::studio

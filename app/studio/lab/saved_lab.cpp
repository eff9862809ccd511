#include "app/studio/lab/saved_lab.h"

#include <QCryptographicHash>
#include <QFile>

#include <algorithm>

namespace et::studio {

namespace {

constexpr qsizetype mostLabBytes = qsizetype{4} << 20;
constexpr qint64 labRecordEnd = qint64{1} << 20;

}  // namespace

QDataStream& operator<<(QDataStream& stream, const SavedLab& kept) {
    const bool fits = kept.study.size() + kept.candidates.size() <= mostLabBytes;
    const SavedLab& written = fits ? kept : SavedLab();
    return stream << written.record << qCompress(written.study) << qCompress(written.candidates)
                  << written.schemes << written.calibration << written.evaluation;
}

QDataStream& operator>>(QDataStream& stream, SavedLab& kept) {
    SavedLab read;
    QByteArray study;
    QByteArray candidates;
    stream >> read.record >> study >> candidates >> read.schemes >> read.calibration >> read.evaluation;
    // The first four bytes contain the uncompressed length, which cannot be trusted in a foreign file.
    const auto textOf = [](const QByteArray& compressed) {
        constexpr qsizetype lengthBytes = 4;
        qsizetype length = 0;
        for (const char byte : compressed.first(std::min(compressed.size(), lengthBytes))) {
            length = length * 256 + static_cast<unsigned char>(byte);
        }
        return length <= mostLabBytes && compressed.size() > lengthBytes ? qUncompress(compressed)
                                                                         : QByteArray();
    };
    read.study = textOf(study);
    read.candidates = textOf(candidates);
    kept = stream.status() == QDataStream::Ok ? read : SavedLab();
    return stream;
}

QByteArray labFingerprint(const std::filesystem::path& record) {
    QFile file(QFile::decodeName(record.c_str()));
    if (!file.open(QIODevice::ReadOnly) || !file.seek(std::max(file.size() - labRecordEnd, qint64{0}))) {
        return {};
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArray::number(file.size()));
    hash.addData(file.read(labRecordEnd));
    return hash.result();
}

}  // namespace et::studio

#pragma once

#include "app/studio/background.h"
#include "inspector/session/session.h"
#include "inspector/tensors/tensor_catalog.h"

#include <QImage>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

class QSettings;

namespace et::studio {

/// Data of the inspector that must be read from files first: thumbnails of tensors, and the Python source
/// around a line. Everything is read once, on a thread; arrived() signals new data.
class ChoiceExtras : public QObject {
    Q_OBJECT

  public:
    /// Data of the current selection.
    struct Wanted {
        std::vector<std::size_t> tensors{};  ///< in the catalog; the first few are read
        std::vector<std::string> files{};    ///< paths of Python files at the time of export
    };

    /// `settings` contains the path mappings, and must outlive this object.
    ChoiceExtras(const QSettings& settings, QObject* parent);

    /// Drops the data of another session. Null: none is open.
    void setSession(std::shared_ptr<const inspector::Session> session);
    void setCatalog(std::shared_ptr<const inspector::TensorCatalog> tensors);
    /// Reads what is not cached yet.
    void want(const Wanted& wanted);
    [[nodiscard]] bool busy() const { return reading.running(); }

    /// Null if it is not read yet, or cannot be shown as a picture.
    [[nodiscard]] QImage pictureOf(std::size_t tensor) const;
    /// Returns the line and its neighbours as `number  text`, with an arrow before the line itself. Empty if
    /// the file is not available or has no such line.
    [[nodiscard]] QString linesAround(const std::string& file, std::int64_t line) const;

  signals:
    void arrived();

  private:
    struct Read {
        std::map<std::size_t, QImage> pictures;
        std::map<std::string, QStringList> files;
    };
    [[nodiscard]] Wanted missing(const Wanted& wanted) const;
    void take(const Read& read);

    const QSettings& store;
    Background<Read> reading;
    std::shared_ptr<const inspector::Session> opened;
    std::shared_ptr<const inspector::TensorCatalog> catalog;
    Read known;
};

}  // namespace et::studio

// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/sweep_journal.hpp"

#include "sim/engine/hash.hpp"
#include "sim/output/output_error.hpp"

#include <cerrno>
#include <charconv>
#include <fstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace idlesim {
namespace {

constexpr std::string_view kMagic = "idlesim-journal-2";
constexpr std::size_t kChecksumDigits = 16;
constexpr std::size_t kFieldsBeforeValues = 4;
constexpr std::size_t kFieldsPerValue = 5;
constexpr int kHexadecimal = 16;

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '\\':
                out += "\\\\";
                break;
            case '\t':
                out += "\\t";
                break;
            case '\n':
                out += "\\n";
                break;
            default:
                out += c;
        }
    }
    return out;
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        ++i;
        out += text[i] == 't' ? '\t' : text[i] == 'n' ? '\n' : text[i];
    }
    return out;
}

std::string sealed(const std::vector<std::string>& fields) {
    std::string payload;
    for (const std::string& field : fields) {
        payload += payload.empty() ? "" : "\t";
        payload += escaped(field);
    }
    return fmt::format("{:016x}\t{}\n", hash_text(payload), payload);
}

/// The fields of a line whose checksum is right; none otherwise.
std::vector<std::string> unsealed(std::string_view line) {
    if (line.ends_with('\n')) {
        line.remove_suffix(1);
    }
    if (line.size() <= kChecksumDigits || line[kChecksumDigits] != '\t') {
        return {};
    }
    std::string_view payload = line.substr(kChecksumDigits + 1);
    if (line.substr(0, kChecksumDigits) != fmt::format("{:016x}", hash_text(payload))) {
        return {};
    }
    std::vector<std::string> fields;
    for (;;) {
        const std::size_t tab = payload.find('\t');
        fields.push_back(unescaped(payload.substr(0, tab)));
        if (tab == std::string_view::npos) {
            return fields;
        }
        payload.remove_prefix(tab + 1);
    }
}

template <class Number>
bool read_number(const std::string& text, Number& out, int base) {
    const char* end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, out, base);
    return error == std::errc{} && last == end;
}

}  // namespace

std::string journal_line(const PointRecord& record) {
    std::vector<std::string> fields{record.id,
                                    fmt::format("{:016x}", record.content),
                                    std::to_string(record.replications),
                                    record.error};
    for (const RecordedValue& value : record.values) {
        fields.insert(fields.end(),
                      {value.value, value.low, value.high, value.unit, value.replications});
    }
    return sealed(fields);
}

std::optional<PointRecord> parse_journal_line(std::string_view line) {
    const std::vector<std::string> fields = unsealed(line);
    if (fields.size() < kFieldsBeforeValues ||
        (fields.size() - kFieldsBeforeValues) % kFieldsPerValue != 0) {
        return std::nullopt;
    }
    PointRecord record;
    record.id = fields[0];
    record.error = fields[3];
    if (!read_number(fields[1], record.content, kHexadecimal) ||
        !read_number(fields[2], record.replications, 10)) {
        return std::nullopt;
    }
    for (std::size_t i = kFieldsBeforeValues; i < fields.size(); i += kFieldsPerValue) {
        record.values.push_back(
            {fields[i], fields[i + 1], fields[i + 2], fields[i + 3], fields[i + 4]});
    }
    return record;
}

std::string journal_header(const SweepSpec& spec) {
    return sealed({std::string{kMagic}, spec.version, spec.commit, spec.columns, spec.until});
}

JournalContents read_journal(const std::filesystem::path& path) {
    JournalContents contents;
    std::ifstream file{path, std::ios::binary};
    std::string line;
    if (!std::getline(file, line)) {
        return contents;
    }
    constexpr std::size_t kHeaderFields = 5;
    const std::vector<std::string> header = unsealed(line);
    if (header.size() != kHeaderFields || header.front() != kMagic) {
        return contents;
    }
    contents.spec = SweepSpec{header[1], header[2], header[3], header[4]};
    while (std::getline(file, line)) {
        // Without its line end it is torn, even where the checksum happens to be complete: what is
        // appended next would continue it.
        std::optional<PointRecord> record = file.eof() ? std::nullopt : parse_journal_line(line);
        if (!record) {
            contents.damaged = true;
            continue;
        }
        std::string id = record->id;
        contents.records.insert_or_assign(std::move(id), std::move(*record));
    }
    return contents;
}

Journal::Journal(std::filesystem::path path) : path_{std::move(path)} {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (descriptor_ < 0) {
        throw OutputError::from_errno("write", path_.string(), errno);
    }
}

Journal::~Journal() {
    ::close(descriptor_);
}

void Journal::append(const PointRecord& record) {
    const std::string line = journal_line(record);
    const std::lock_guard lock{mutex_};

    struct stat before {};

    ::fstat(descriptor_, &before);
    ssize_t written = -1;
    do {
        written = ::write(descriptor_, line.data(), line.size());
    } while (written < 0 && errno == EINTR);
    if (written == static_cast<ssize_t>(line.size())) {
        return;
    }
    // A short write to a regular file means that there is no room for the rest.
    const int error = written < 0 ? errno : ENOSPC;
    static_cast<void>(::ftruncate(descriptor_, before.st_size));
    throw OutputError::from_errno("write", path_.string(), error);
}

}  // namespace idlesim

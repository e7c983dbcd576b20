/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reader.cc: what Isolux wants to know of a DICOM file, by GDCM.
 *
 * GDCM parses the file and decodes JPEG, JPEG-LS and JPEG 2000, one frame at a
 * time.  RLE, whole samples, colors and tables are made in pixels.c.
 */
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <istream>
#include <new>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include <gio/gio.h>

#include <gdcmBitmap.h>
#include <gdcmDataSet.h>
#include <gdcmFile.h>
#include <gdcmReader.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmSequenceOfItems.h>
#include <gdcmTrace.h>
#include <gdcmTransferSyntax.h>

#include "../frames.h"
#include "marks.h"
#include "pixels.h"
#include "reader.h"

namespace
{

/* What GDCM may allocate at once.  It believes every length that a file
 * tells, and fills so much memory before it reads on. */
gsize allocation_max = G_MAXSIZE;

}  // namespace

/* GDCM's allocations, too: the program's come before the C++ library's.
 * Compilers that look into them complain about malloc and free. */
G_NO_INLINE void *
operator new (std::size_t n)
{
  void *memory = n <= allocation_max ? std::malloc (n > 0 ? n : 1) : nullptr;

  if (memory == nullptr)
    throw std::bad_alloc ();
  return memory;
}

G_NO_INLINE void *
operator new (std::size_t n, const std::nothrow_t &) noexcept
{
  return n <= allocation_max ? std::malloc (n > 0 ? n : 1) : nullptr;
}

G_NO_INLINE void
operator delete (void *memory) noexcept
{
  std::free (memory);
}

G_NO_INLINE void
operator delete (void *memory, std::size_t) noexcept
{
  std::free (memory);
}

namespace
{

using gdcm::DataSet;
using gdcm::Tag;
using Bytes = std::vector<guint8>;

/* The largest frame, in bytes, and how many times larger than its compressed
 * form a frame may be that is larger than FREE_SIZE.  A constant image of
 * 4096 x 4096 makes 1:7,000 by JPEG 2000 and is smaller than that. */
constexpr guint64 FRAME_MAX = G_GUINT64_CONSTANT (1) << 30;
constexpr guint64 FREE_SIZE = 64 << 20;
constexpr guint64 RATIO_MAX = 1000;
/* Decoded frames that are kept from the first pass for the second */
constexpr guint64 KEEP_MAX = 512 << 20;
/* Pieces in which a file is read, with a sign of life after each */
constexpr std::streamsize PIECE = 16 << 20;
constexpr guint           WINDOWS_MAX = 8;
constexpr gsize           TAG_SIZE_MAX = 64 << 10;

/* --- What is thrown ------------------------------------------------------- */

/* Why a file cannot be read: a word that ../dicom.c knows a sentence for */
struct Refusal
{
  std::string code;
  std::string detail;
};

/* Nobody listens any more */
struct Deaf
{
};

[[noreturn]] void
refuse (const char *code, const std::string &detail = "")
{
  throw Refusal{ code, detail };
}

/* --- Records -------------------------------------------------------------- */

std::string
number_text (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_ascii_dtostr (text, sizeof text, value);
}

class Records
{
public:
  Records (ReaderWrite write, gpointer data) : write_ (write), data_ (data)
  {
  }

  void
  line (const char *key, const std::string &value)
  {
    lines_ += key;
    lines_ += '=';
    for (char c : value)
      lines_ += (guchar) c < 0x20 || c == 0x7f ? ' ' : c;
    lines_ += '\n';
  }

  void
  line (const char *key, guint64 value)
  {
    line (key, std::to_string (value));
  }

  void
  pair (const char *key, double first, double second)
  {
    line (key, number_text (first) + " " + number_text (second));
  }

  void
  send (gconstpointer bytes = nullptr, gsize n = 0)
  {
    if (n > 0)
      line ("bytes", (guint64) n);
    lines_ += '\n';
    std::string head;
    head.swap (lines_);
    if (! write_ (head.data (), head.size (), data_) ||
        (n > 0 && ! write_ (bytes, n, data_)))
      throw Deaf ();
  }

  void
  progress (double fraction)
  {
    line ("progress", number_text (fraction));
    send ();
  }

private:
  ReaderWrite write_;
  gpointer    data_;
  std::string lines_;
};

/* --- Files ---------------------------------------------------------------- */

/* Whether a stream has ended in the middle of a value, which GDCM forgives
 * without a word.  Tags and lengths are read by 2 and 4 bytes. */
class Ending
{
public:
  bool is_early = false;

protected:
  void
  read_came_short (std::streamsize wanted)
  {
    is_early |= wanted > 4;
  }
};

/* A file that gives a sign of life while a slow disk hands it over */
class FileBuffer : public std::filebuf, public Ending
{
public:
  FileBuffer (Records &records, guint64 size) : records_ (records), size_ (size)
  {
  }

protected:
  std::streamsize
  xsgetn (char *to, std::streamsize n) override
  {
    std::streamsize done = 0;

    while (done < n)
      {
        std::streamsize piece = std::min (n - done, PIECE);
        std::streamsize got = std::filebuf::xsgetn (to + done, piece);

        if (got > 0)
          done += got;
        if (got < piece)
          {
            read_came_short (n);
            break;
          }
        if (piece == PIECE)
          {
            read_ += (guint64) piece;
            records_.progress (0.4 *
                               std::min (1.0, (double) read_ / (double) size_));
          }
      }
    return done;
  }

private:
  Records &records_;
  guint64  size_;
  guint64  read_ = 0;
};

class MemoryBuffer : public std::streambuf, public Ending
{
public:
  MemoryBuffer (gconstpointer bytes, gsize n)
  {
    char *begin = (char *) bytes;

    setg (begin, begin, begin + n);
  }

protected:
  std::streamsize
  xsgetn (char *to, std::streamsize n) override
  {
    if (n > egptr () - gptr ())
      read_came_short (n);
    return std::streambuf::xsgetn (to, n);
  }

  pos_type
  seekoff (off_type               offset,
           std::ios_base::seekdir way,
           std::ios_base::openmode) override
  {
    off_type from = way == std::ios_base::beg   ? 0
                    : way == std::ios_base::cur ? gptr () - eback ()
                                                : egptr () - eback ();

    if (from + offset < 0 || from + offset > egptr () - eback ())
      return pos_type (off_type (-1));
    setg (eback (), eback () + from + offset, egptr ());
    return pos_type (from + offset);
  }

  pos_type
  seekpos (pos_type position, std::ios_base::openmode mode) override
  {
    return seekoff (off_type (position), std::ios_base::beg, mode);
  }
};

/* --- Elements ------------------------------------------------------------- */

const gdcm::ByteValue *
bytes_of (const DataSet &set, const Tag &tag)
{
  if (! set.FindDataElement (tag))
    return nullptr;
  return set.GetDataElement (tag).GetByteValue ();
}

std::string
text_of (const DataSet &set, const Tag &tag)
{
  const gdcm::ByteValue *value = bytes_of (set, tag);
  std::string            text;

  if (value != nullptr && value->GetLength () > 0)
    text.assign (value->GetPointer (), value->GetLength ());
  text.resize (std::strlen (text.c_str ()));
  while (! text.empty () && text.back () == ' ')
    text.pop_back ();
  text.erase (0, std::min (text.find_first_not_of (' '), text.size ()));
  return text;
}

/* A code string, which has nothing but capitals, digits, blanks and _: so
 * that no name of a person gets through where a code belongs */
std::string
code_of (const DataSet &set, const Tag &tag)
{
  std::string text = text_of (set, tag);

  text = text.substr (0, text.find ('\\')).substr (0, 16);
  for (char c : text)
    if (! g_ascii_isupper (c) && ! g_ascii_isdigit (c) && c != ' ' && c != '_')
      return "";
  return text;
}

/* What values are counted in: a few letters, or nothing */
std::string
unit_of (const DataSet &set, const Tag &tag)
{
  std::string text = text_of (set, tag);

  if (text.size () > 16)
    return "";
  for (char c : text)
    if (! g_ascii_isgraph (c) && c != ' ')
      return "";
  return text;
}

/* Decimal numbers; those that are none are left out */
std::vector<double>
decimals_of (const DataSet &set, const Tag &tag)
{
  std::string         text = text_of (set, tag);
  std::vector<double> numbers;
  size_t              at = 0;

  while (at <= text.size () && numbers.size () < 64)
    {
      size_t      end = std::min (text.find ('\\', at), text.size ());
      std::string one = text.substr (at, end - at);
      char       *rest = nullptr;
      double      number = g_ascii_strtod (one.c_str (), &rest);

      while (*rest == ' ')
        rest++;
      if (rest != one.c_str () && *rest == '\0' && std::isfinite (number))
        numbers.push_back (number);
      at = end + 1;
    }
  return numbers;
}

bool
decimal_of (const DataSet &set, const Tag &tag, double *number)
{
  std::vector<double> numbers = decimals_of (set, tag);

  if (numbers.empty ())
    return false;
  *number = numbers[0];
  return true;
}

/* 16-bit words, in the order of this machine, as GDCM keeps them */
bool
word_of (const DataSet &set, const Tag &tag, guint16 *word, gsize index = 0)
{
  const gdcm::ByteValue *value = bytes_of (set, tag);

  if (value == nullptr || value->GetLength () < 2 * (index + 1))
    return false;
  std::memcpy (word, value->GetPointer () + 2 * index, sizeof *word);
  return true;
}

guint
word_or (const DataSet &set, const Tag &tag, guint otherwise)
{
  guint16 word;

  return word_of (set, tag, &word) ? word : otherwise;
}

using Sequence = gdcm::SmartPointer<gdcm::SequenceOfItems>;

Sequence
sequence_of (const DataSet &set, const Tag &tag)
{
  if (! set.FindDataElement (tag))
    return nullptr;
  return set.GetDataElement (tag).GetValueAsSQ ();
}

/* The data set of an item, counted from 0; NULL when there is none */
const DataSet *
item_of (const Sequence &sequence, gsize index)
{
  if (! sequence || index >= sequence->GetNumberOfItems ())
    return nullptr;
  return &sequence->GetItem (index + 1).GetNestedDataSet ();
}

/* --- A file --------------------------------------------------------------- */

const Tag PIXEL_DATA (0x7fe0, 0x0010);
const Tag FLOAT_DATA (0x7fe0, 0x0008);
const Tag DOUBLE_DATA (0x7fe0, 0x0009);

enum class Samples
{
  Integer,
  Float,
  Double
};

enum class Color
{
  Gray,
  Rgb,
  Ybr,
  Ybr422,
  YbrPartial422,
  Palette
};

/* A table of the file: its entries and what the descriptor says */
struct Table
{
  std::vector<guint16> entries;
  gint32               first = 0;
  guint                bits = 0;

  PixelTable
  view () const
  {
    return PixelTable{ entries.data (), entries.size (), first };
  }
};

struct FrameFacts
{
  double                                  slope = 1.0;
  double                                  intercept = 0.0;
  std::string                             unit;
  std::vector<std::pair<double, double> > windows;
  std::string                             function;
  double                                  spacing[2] = { 0.0, 0.0 };
};

class Picture
{
public:
  Picture (gdcm::File &file, const ReaderOptions &options, Records &records)
      : file_ (file), set_ (file.GetDataSet ()), options_ (options),
        records_ (records),
        syntax_ (file.GetHeader ().GetDataSetTransferSyntax ())
  {
  }

  void run ();

private:
  void find_pixels ();
  void find_layout ();
  void find_color ();
  void find_fragments ();
  void find_tables ();
  void check_sizes ();

  Table read_table (const DataSet &set,
                    const Tag     &descriptor,
                    const Tag     &data,
                    const Tag     &segments);

  FrameFacts     frame_facts (gsize frame);
  const DataSet *functional (const Tag &macro, gsize frame);
  void           add_windows (const DataSet &set, FrameFacts &facts);
  void           add_table_window (const DataSet &set, FrameFacts &facts);
  void           add_spacing (const DataSet &set, FrameFacts &facts);

  Bytes decode (gsize frame, bool *planar, bool *ybr);
  Bytes stored (gsize frame);
  Bytes shown (const Bytes &samples);
  void  find_range ();

  void add_padding ();
  void send_header ();
  void send_frame (gsize frame);
  void send_overlays ();
  void send_tags (const DataSet &set);

  gdcm::File          &file_;
  const DataSet       &set_;
  const ReaderOptions &options_;
  Records             &records_;
  gdcm::TransferSyntax syntax_;

  Samples                          samples_ = Samples::Integer;
  const gdcm::ByteValue           *native_ = nullptr;
  bool                             is_words_ = false;
  Bytes                            swapped_;
  const gdcm::SequenceOfFragments *fragments_ = nullptr;
  /* first fragment and how many, of each frame */
  std::vector<std::pair<gsize, gsize> > parts_;

  gsize               rows_ = 0;
  gsize               columns_ = 0;
  gsize               n_frames_ = 1;
  std::vector<guint8> chosen_;
  guint               per_pixel_ = 1;
  PixelCell           cell_ = {};
  bool                planar_ = false;
  /* decoded samples may leave their range, as lossy coders let them */
  bool  loose_ = false;
  Color color_ = Color::Gray;
  bool  inverted_ = false;

  bool        has_modality_table_ = false;
  Table       modality_table_;
  std::string table_unit_;
  Table       palette_[3];
  bool        deep_palette_ = false;

  bool               has_range_ = false;
  gint64             low_ = G_MAXINT64;
  gint64             high_ = G_MININT64;
  std::vector<Bytes> kept_;

  Sequence              shared_;
  std::vector<Sequence> alive_;
  Sequence              per_frame_;
};

void
Picture::run ()
{
  find_pixels ();
  find_layout ();
  find_color ();
  check_sizes ();
  find_fragments ();
  find_tables ();
  shared_ = sequence_of (set_, Tag (0x5200, 0x9229));
  per_frame_ = sequence_of (set_, Tag (0x5200, 0x9230));

  if (! options_.header_only)
    find_range ();
  send_header ();
  if (options_.header_only)
    return;
  for (gsize frame = 0; frame < n_frames_; frame++)
    if (chosen_[frame])
      send_frame (frame);
  if (options_.overlays)
    send_overlays ();
  if (options_.tags)
    {
      send_tags (file_.GetHeader ());
      send_tags (set_);
    }
}

/* Where the pixels are, and whether GDCM can decode them */
void
Picture::find_pixels ()
{
  static const struct
  {
    const Tag *tag;
    Samples    samples;
  } places[] = {
    { &PIXEL_DATA, Samples::Integer },
    { &FLOAT_DATA, Samples::Float },
    { &DOUBLE_DATA, Samples::Double },
  };
  const std::string uid = text_of (file_.GetHeader (), Tag (0x0002, 0x0010));

  if (! syntax_.IsValid ())
    refuse ("syntax", uid);
  for (const auto &place : places)
    {
      if (! set_.FindDataElement (*place.tag))
        continue;
      const gdcm::DataElement &element = set_.GetDataElement (*place.tag);
      samples_ = place.samples;
      native_ = element.GetByteValue ();
      is_words_ = element.GetVR () == gdcm::VR::OW;
      fragments_ = element.GetSequenceOfFragments ();
      break;
    }
  if (! native_ && ! fragments_)
    refuse ("no-picture", text_of (set_, Tag (0x0008, 0x0016)));
  if (! fragments_)
    return;

  switch ((gdcm::TransferSyntax::TSType) syntax_)
    {
      case gdcm::TransferSyntax::JPEGBaselineProcess1:
      case gdcm::TransferSyntax::JPEGExtendedProcess2_4:
      case gdcm::TransferSyntax::JPEGExtendedProcess3_5:
      case gdcm::TransferSyntax::JPEGSpectralSelectionProcess6_8:
      case gdcm::TransferSyntax::JPEGFullProgressionProcess10_12:
      case gdcm::TransferSyntax::JPEGLosslessProcess14:
      case gdcm::TransferSyntax::JPEGLosslessProcess14_1:
      case gdcm::TransferSyntax::JPEGLSLossless:
      case gdcm::TransferSyntax::JPEGLSNearLossless:
      case gdcm::TransferSyntax::JPEG2000Lossless:
      case gdcm::TransferSyntax::JPEG2000:
      case gdcm::TransferSyntax::JPEG2000Part2Lossless:
      case gdcm::TransferSyntax::JPEG2000Part2:
      case gdcm::TransferSyntax::RLELossless:
        if (samples_ != Samples::Integer)
          refuse ("damaged");
        break;
      default:
        refuse ("syntax", uid);
    }
  loose_ = syntax_ == gdcm::TransferSyntax::JPEGLSNearLossless ||
           syntax_ == gdcm::TransferSyntax::JPEG2000 ||
           syntax_ == gdcm::TransferSyntax::JPEG2000Part2;
}

/* Rows, columns, frames, cells */
void
Picture::find_layout ()
{
  double  number;
  guint8 *chosen;

  rows_ = word_or (set_, Tag (0x0028, 0x0010), 0);
  columns_ = word_or (set_, Tag (0x0028, 0x0011), 0);
  if (rows_ == 0 || columns_ == 0)
    refuse ("size");
  if (decimal_of (set_, Tag (0x0028, 0x0008), &number))
    {
      if (number > FRAMES_MAX)
        refuse ("too-large");
      n_frames_ = number >= 1.0 ? (gsize) number : 1;
    }
  chosen = frames_select (options_.frames, (guint) n_frames_);
  if (chosen == nullptr)
    refuse ("frames", std::to_string (n_frames_));
  chosen_.assign (chosen, chosen + n_frames_);
  g_free (chosen);

  per_pixel_ = word_or (set_, Tag (0x0028, 0x0002), 1);
  if (per_pixel_ != 1 && per_pixel_ != 3)
    refuse ("samples", std::to_string (per_pixel_));
  planar_ = per_pixel_ == 3 && word_or (set_, Tag (0x0028, 0x0006), 0) == 1;

  if (samples_ != Samples::Integer)
    {
      if (per_pixel_ != 1)
        refuse ("samples", std::to_string (per_pixel_));
      cell_.allocated = samples_ == Samples::Float ? 32 : 64;
      cell_.stored = cell_.allocated;
      cell_.high = cell_.allocated - 1;
      return;
    }

  cell_.allocated = word_or (set_, Tag (0x0028, 0x0100), 0);
  cell_.stored = word_or (set_, Tag (0x0028, 0x0101), cell_.allocated);
  cell_.high = word_or (set_, Tag (0x0028, 0x0102), cell_.stored - 1);
  cell_.is_signed = word_or (set_, Tag (0x0028, 0x0103), 0) == 1;
  if (cell_.allocated < 1 || cell_.allocated > 32)
    refuse ("bits", std::to_string (cell_.allocated));
  if (cell_.stored < 1 || cell_.stored > cell_.allocated)
    cell_.stored = cell_.allocated;
  if (cell_.high < cell_.stored - 1 || cell_.high >= cell_.allocated)
    cell_.high = cell_.stored - 1;
  if (fragments_ && cell_.allocated % 8 != 0)
    refuse ("bits", std::to_string (cell_.allocated));
}

void
Picture::find_color ()
{
  static const struct
  {
    const char *name;
    guint       per_pixel;
    Color       color;
  } kinds[] = {
    { "MONOCHROME1", 1, Color::Gray },
    { "MONOCHROME2", 1, Color::Gray },
    { "PALETTE COLOR", 1, Color::Palette },
    { "RGB", 3, Color::Rgb },
    { "YBR_FULL", 3, Color::Ybr },
    { "YBR_FULL_422", 3, Color::Ybr422 },
    { "YBR_PARTIAL_422", 3, Color::YbrPartial422 },
    { "YBR_RCT", 3, Color::Rgb },
    { "YBR_ICT", 3, Color::Rgb },
  };
  std::string name = text_of (set_, Tag (0x0028, 0x0004));
  bool        known = false;

  /* old files have none */
  if (name.empty ())
    name = per_pixel_ == 1 ? "MONOCHROME2" : "RGB";
  for (const auto &kind : kinds)
    if (name == kind.name && per_pixel_ == kind.per_pixel)
      {
        color_ = kind.color;
        known = true;
      }
  if (! known)
    refuse ("photometric", name);
  inverted_ = name == "MONOCHROME1";

  if (color_ == Color::Gray)
    return;
  if (samples_ != Samples::Integer || cell_.stored > 16 ||
      (color_ != Color::Palette && cell_.is_signed))
    refuse ("bits", std::to_string (cell_.stored));
}

/* Nothing is allocated for more than the file can hold */
void
Picture::check_sizes ()
{
  const guint64 pixels = (guint64) rows_ * columns_;
  const guint64 cells = pixels * per_pixel_;
  const guint64 all = cells * n_frames_;

  if (cells * ((cell_.allocated + 7) / 8) > FRAME_MAX)
    refuse ("too-large");
  if (native_ == nullptr)
    return;

  guint64 needed = (all * cell_.allocated + 7) / 8;
  if (color_ == Color::Ybr422 || color_ == Color::YbrPartial422)
    {
      if (columns_ % 2 != 0)
        refuse ("damaged");
      needed = (pixels * 2 * n_frames_ * cell_.allocated + 7) / 8;
    }
  if ((guint64) native_->GetLength () < needed)
    refuse ("cut-short");
  /* GDCM has turned the bytes of each word, of which two make a sample */
  if (syntax_ == gdcm::TransferSyntax::ExplicitVRBigEndian && is_words_ &&
      cell_.allocated == 32 && samples_ == Samples::Integer)
    {
      swapped_.assign (native_->GetPointer (), native_->GetPointer () + needed);
      pixels_swap_halves (swapped_.data (), swapped_.size () / 4);
    }
}

/* Which fragments belong to which frame: one each; or as the offset table
 * says; or a frame begins where a fragment begins as a frame does */
void
Picture::find_fragments ()
{
  if (! fragments_)
    return;

  const gsize          n = fragments_->GetNumberOfFragments ();
  std::vector<guint64> starts;
  guint64              at = 0;

  for (gsize i = 0; i < n; i++)
    {
      const gdcm::ByteValue *value =
        fragments_->GetFragment (i).GetByteValue ();

      starts.push_back (at);
      at += 8 + (value ? (guint64) value->GetLength () : 0);
    }
  if (n == 0)
    refuse ("cut-short");
  if (n_frames_ == 1)
    {
      parts_.emplace_back (0, n);
      return;
    }
  if (n == n_frames_)
    {
      for (gsize i = 0; i < n; i++)
        parts_.emplace_back (i, 1);
      return;
    }
  if (n < n_frames_)
    refuse ("cut-short");

  std::vector<gsize>     firsts;
  const gdcm::ByteValue *table = fragments_->GetTable ().GetByteValue ();
  if (table != nullptr && table->GetLength () == 4 * n_frames_)
    for (gsize frame = 0; frame < n_frames_; frame++)
      {
        guint32 offset;

        std::memcpy (&offset, table->GetPointer () + 4 * frame, 4);
        offset = GUINT32_FROM_LE (offset);
        for (gsize i = firsts.empty () ? 0 : firsts.back () + 1; i < n; i++)
          if (starts[i] == offset)
            {
              firsts.push_back (i);
              break;
            }
      }
  if (firsts.size () != n_frames_)
    {
      firsts.clear ();
      for (gsize i = 0; i < n; i++)
        {
          const gdcm::ByteValue *value =
            fragments_->GetFragment (i).GetByteValue ();

          if (value == nullptr || value->GetLength () < 3)
            continue;
          if (! std::memcmp (value->GetPointer (), "\xff\xd8\xff", 3) ||
              ! std::memcmp (value->GetPointer (), "\xff\x4f\xff", 3))
            firsts.push_back (i);
        }
    }
  if (firsts.size () != n_frames_)
    refuse ("damaged");
  for (gsize frame = 0; frame < n_frames_; frame++)
    {
      gsize next = frame + 1 < n_frames_ ? firsts[frame + 1] : n;

      parts_.emplace_back (firsts[frame], next - firsts[frame]);
    }
}

/* --- Tables --------------------------------------------------------------- */

/* A table of 8- or 16-bit entries; throws when it is damaged */
Table
Picture::read_table (const DataSet &set,
                     const Tag     &descriptor,
                     const Tag     &data,
                     const Tag     &segments)
{
  Table                  table;
  guint16                n, first, bits;
  const gdcm::ByteValue *value = bytes_of (set, data);
  const bool             segmented = value == nullptr;

  if (segmented)
    value = bytes_of (set, segments);
  if (value == nullptr || ! word_of (set, descriptor, &n, 0) ||
      ! word_of (set, descriptor, &first, 1) ||
      ! word_of (set, descriptor, &bits, 2) || bits < 1 || bits > 16)
    refuse ("table");

  const gsize length = value->GetLength ();
  const gsize n_entries = n == 0 ? 65536 : n;
  table.bits = bits;
  table.first = cell_.is_signed ? (gint32) (gint16) first : (gint32) first;
  table.entries.resize (n_entries);

  /* the words of the element; its bytes, when 8-bit entries are packed */
  const bool packed = bits <= 8 && ! segmented && length < 2 * n_entries;
  std::vector<guint16> words (packed ? length : length / 2);
  if (packed)
    for (gsize i = 0; i < length; i++)
      words[i] = (guint8) value->GetPointer ()[i];
  else if (! words.empty ())
    std::memcpy (words.data (), value->GetPointer (), 2 * words.size ());

  if (segmented)
    {
      if (! pixels_expand_segments (words.data (), words.size (),
                                    table.entries.data (), n_entries))
        refuse ("table");
    }
  else
    {
      if (words.size () < n_entries)
        refuse ("table");
      std::copy_n (words.begin (), n_entries, table.entries.begin ());
    }
  return table;
}

void
Picture::find_tables ()
{
  if (color_ == Color::Palette)
    {
      for (guint16 c = 0; c < 3; c++)
        palette_[c] = read_table (set_, Tag (0x0028, (guint16) (0x1101 + c)),
                                  Tag (0x0028, (guint16) (0x1201 + c)),
                                  Tag (0x0028, (guint16) (0x1221 + c)));
      /* some write 8-bit colors into 16-bit entries */
      for (const Table &table : palette_)
        for (guint16 entry : table.entries)
          deep_palette_ |= entry > 255;
      return;
    }
  if (color_ != Color::Gray || samples_ != Samples::Integer)
    return;

  Sequence       sequence = sequence_of (set_, Tag (0x0028, 0x3000));
  const DataSet *item = item_of (sequence, 0);
  if (item != nullptr)
    {
      modality_table_ = read_table (*item, Tag (0x0028, 0x3002),
                                    Tag (0x0028, 0x3006), Tag (0, 0));
      table_unit_ = unit_of (*item, Tag (0x0028, 0x3004));
      has_modality_table_ = true;
    }
}

/* --- Facts of a frame ----------------------------------------------------- */

/* The item of a functional group: the frame's own, else the shared one */
const DataSet *
Picture::functional (const Tag &macro, gsize frame)
{
  const DataSet *groups[] = { item_of (per_frame_, frame),
                              item_of (shared_, 0) };

  for (const DataSet *group : groups)
    if (group != nullptr)
      {
        Sequence       sequence = sequence_of (*group, macro);
        const DataSet *item = item_of (sequence, 0);

        if (item != nullptr)
          {
            /* GDCM may have made it for this call alone */
            alive_.push_back (sequence);
            return item;
          }
      }
  return nullptr;
}

void
Picture::add_windows (const DataSet &set, FrameFacts &facts)
{
  std::vector<double> centers = decimals_of (set, Tag (0x0028, 0x1050));
  std::vector<double> widths = decimals_of (set, Tag (0x0028, 0x1051));

  facts.windows.clear ();
  for (gsize i = 0; i < centers.size () && i < widths.size () &&
                    facts.windows.size () < WINDOWS_MAX;
       i++)
    if (widths[i] > 0.0)
      facts.windows.emplace_back (centers[i], widths[i]);
  facts.function = code_of (set, Tag (0x0028, 0x1056));
}

/* A table for display that is damaged is none */
void
Picture::add_table_window (const DataSet &set, FrameFacts &facts)
{
  try
    {
      Table      entries = read_table (set, Tag (0x0028, 0x3002),
                                       Tag (0x0028, 0x3006), Tag (0, 0));
      PixelTable table = entries.view ();
      double     center, width;

      if (pixels_table_ramp (&table, &center, &width) && width > 0.0)
        {
          facts.windows.emplace_back (center, width);
          facts.function = "TABLE";
        }
    }
  catch (const Refusal &)
    {
    }
}

void
Picture::add_spacing (const DataSet &set, FrameFacts &facts)
{
  static const Tag tags[] = { Tag (0x0028, 0x0030), Tag (0x0018, 0x1164),
                              Tag (0x0018, 0x2010) };

  for (const Tag &tag : tags)
    {
      std::vector<double> spacing = decimals_of (set, tag);

      if (spacing.size () >= 2 && spacing[0] > 0.0 && spacing[1] > 0.0)
        {
          facts.spacing[0] = spacing[0];
          facts.spacing[1] = spacing[1];
          return;
        }
    }
}

FrameFacts
Picture::frame_facts (gsize frame)
{
  const std::string modality = code_of (set_, Tag (0x0008, 0x0060));
  FrameFacts        facts;
  const DataSet    *item;

  /* from stored values to those of the modality */
  item = functional (Tag (0x0028, 0x9145), frame);
  if (item == nullptr)
    item = &set_;
  if (has_modality_table_)
    facts.unit = table_unit_;
  else if (color_ == Color::Gray)
    {
      decimal_of (*item, Tag (0x0028, 0x1053), &facts.slope);
      decimal_of (*item, Tag (0x0028, 0x1052), &facts.intercept);
      facts.unit = unit_of (*item, Tag (0x0028, 0x1054));
      /* doses have a tag of their own */
      if (modality == "RTDOSE" &&
          decimal_of (set_, Tag (0x3004, 0x000e), &facts.slope))
        {
          facts.intercept = 0.0;
          facts.unit = code_of (set_, Tag (0x3004, 0x0002));
          if (facts.unit == "GY")
            facts.unit = "Gy";
        }
      if (facts.slope == 0.0)
        facts.slope = 1.0;
    }
  if (facts.unit == "US" || facts.unit == "UNSPECIFIED")
    facts.unit = "";
  if (facts.unit.empty () && color_ == Color::Gray && ! has_modality_table_)
    {
      double number;

      if (modality == "CT" && decimal_of (*item, Tag (0x0028, 0x1053), &number))
        facts.unit = "HU";
      else if (modality == "PT")
        facts.unit = code_of (set_, Tag (0x0054, 0x1001));
    }

  item = functional (Tag (0x0028, 0x9132), frame);
  add_windows (item != nullptr ? *item : set_, facts);
  /* of tables, what is nearest to them among windows */
  if (facts.windows.empty () && color_ == Color::Gray)
    {
      Sequence tables = sequence_of (set_, Tag (0x0028, 0x3010));

      item = item_of (tables, 0);
      if (item != nullptr)
        add_table_window (*item, facts);
    }

  add_spacing (set_, facts);
  item = functional (Tag (0x0028, 0x9110), frame);
  if (item != nullptr)
    add_spacing (*item, facts);
  return facts;
}

/* --- Pixels --------------------------------------------------------------- */

/* A compressed frame, decoded to cells; and what of the layout the frame
 * decides and not the file */
Bytes
Picture::decode (gsize frame, bool *planar, bool *ybr)
{
  const auto &part = parts_[frame];
  const bool  is_rle = syntax_ == gdcm::TransferSyntax::RLELossless;
  std::string together;
  Marks       marks;

  for (gsize i = part.first; i < part.first + part.second; i++)
    {
      const gdcm::ByteValue *value =
        fragments_->GetFragment (i).GetByteValue ();

      if (value != nullptr)
        together.append (value->GetPointer (), value->GetLength ());
    }

  const guint64 size = (guint64) rows_ * columns_ * per_pixel_ *
                       (cell_.allocated / 8);
  if (size > FREE_SIZE && size / RATIO_MAX > together.size ())
    refuse ("too-large");
  /* decoders would allocate what the frame says */
  if (! is_rle && (! marks_read ((const guint8 *) together.data (),
                                 together.size (), &marks) ||
                   marks.columns != columns_ || marks.rows != rows_ ||
                   marks.components != per_pixel_ ||
                   marks.precision > cell_.allocated || ! marks.is_whole))
    refuse ("decode", std::to_string (frame + 1));

  Bytes cells (size);
  if (is_rle)
    {
      *planar = false;
      if (! pixels_decode_rle ((const guint8 *) together.data (),
                               together.size (), rows_ * columns_, per_pixel_,
                               cell_.allocated / 8, cells.data ()))
        refuse ("decode", std::to_string (frame + 1));
      return cells;
    }

  gdcm::Fragment fragment;
  fragment.SetByteValue (together.data (),
                         gdcm::VL ((guint32) together.size ()));
  gdcm::SmartPointer<gdcm::SequenceOfFragments> sequence =
    new gdcm::SequenceOfFragments;
  sequence->AddFragment (fragment);
  gdcm::DataElement element (PIXEL_DATA, 0, gdcm::VR::OB);
  element.SetValue (*sequence);

  gdcm::Bitmap bitmap;
  bitmap.SetTransferSyntax (syntax_);
  bitmap.SetNumberOfDimensions (2);
  bitmap.SetDimension (0, (guint) columns_);
  bitmap.SetDimension (1, (guint) rows_);
  bitmap.SetPixelFormat (gdcm::PixelFormat ((guint16) per_pixel_,
                                            (guint16) cell_.allocated,
                                            (guint16) cell_.stored,
                                            (guint16) cell_.high,
                                            cell_.is_signed ? 1 : 0));
  /* with these names GDCM leaves colors as they are */
  bitmap.SetPhotometricInterpretation (per_pixel_ == 3
                                         ? gdcm::PhotometricInterpretation::RGB
                                         : gdcm::PhotometricInterpretation::
                                             MONOCHROME2);
  if (per_pixel_ == 3)
    bitmap.SetPlanarConfiguration (planar_ ? 1 : 0);
  bitmap.SetDataElement (element);

  if (bitmap.GetBufferLength () != size ||
      ! bitmap.GetBuffer ((char *) cells.data ()))
    refuse ("decode", std::to_string (frame + 1));

  *planar = per_pixel_ == 3 && bitmap.GetPlanarConfiguration () == 1;
  if (marks.color != MARKS_COLOR_UNKNOWN)
    *ybr = marks.color == MARKS_COLOR_YBR;
  return cells;
}

/* The samples of a frame, gray, or red, green and blue, before tables */
Bytes
Picture::stored (gsize frame)
{
  const gsize pixels = rows_ * columns_;
  const gsize n = pixels * per_pixel_;

  if (samples_ != Samples::Integer)
    {
      const gsize size = samples_ == Samples::Float ? 4 : 8;
      const char *from = native_->GetPointer () + frame * n * size;

      return Bytes (from, from + n * size);
    }

  const gsize size = pixels_sample_size (&cell_);
  const bool  partial = color_ == Color::YbrPartial422;
  const bool  packed = native_ != nullptr &&
                      (color_ == Color::Ybr422 || partial);
  const gsize n_cells = packed ? pixels * 2 : n;
  bool        planar = planar_;
  bool        ybr = color_ == Color::Ybr || color_ == Color::Ybr422 || partial;
  Bytes       samples (n_cells * size);

  if (native_ != nullptr)
    {
      const guint8 *cells = swapped_.empty ()
                              ? (const guint8 *) native_->GetPointer ()
                              : swapped_.data ();

      pixels_unpack (&cell_, cells, (guint64) frame * n_cells, n_cells,
                     samples.data ());
    }
  else
    {
      Bytes cells = decode (frame, &planar, &ybr);

      if (loose_)
        pixels_unpack_loose (&cell_, cells.data (), n_cells, samples.data ());
      else
        pixels_unpack (&cell_, cells.data (), 0, n_cells, samples.data ());
    }

  if (packed)
    {
      Bytes triples (n * size);

      pixels_spread_422 (samples.data (), pixels, size, triples.data ());
      samples.swap (triples);
    }
  else if (planar)
    {
      Bytes triples (n * size);

      pixels_interleave (samples.data (), pixels, size, triples.data ());
      samples.swap (triples);
    }
  if (ybr)
    pixels_ybr_to_rgb (samples.data (), pixels, size, cell_.stored,
                       partial ? PIXELS_YBR_PARTIAL : PIXELS_YBR_FULL);
  return samples;
}

/* What is written: tables applied */
Bytes
Picture::shown (const Bytes &samples)
{
  const gsize pixels = rows_ * columns_;

  if (color_ == Color::Palette)
    {
      const gsize size = deep_palette_ ? 2 : 1;
      Bytes       triples (3 * pixels * size);

      for (gsize c = 0; c < 3; c++)
        {
          PixelTable table = palette_[c].view ();

          pixels_look_up (&cell_, samples.data (), pixels, &table, size, 3,
                          triples.data () + c * size);
        }
      return triples;
    }
  if (has_modality_table_)
    {
      PixelTable  table = modality_table_.view ();
      const gsize size = modality_table_.bits <= 8 ? 1 : 2;
      Bytes       values (pixels * size);

      pixels_look_up (&cell_, samples.data (), pixels, &table, size, 1,
                      values.data ());
      return values;
    }
  return samples;
}

/* The range of all stored values, where what follows depends on it: which
 * offset makes signed values codes, how many bits of 16 are in use */
void
Picture::find_range ()
{
  guint64 kept = 0;
  gsize   n_chosen = 0, n = 0;

  for (guint8 one : chosen_)
    n_chosen += one;
  if (color_ != Color::Gray || samples_ != Samples::Integer ||
      has_modality_table_ || cell_.stored <= 8 ||
      (! cell_.is_signed && cell_.stored < 16))
    return;

  has_range_ = true;
  kept_.resize (n_frames_);
  for (gsize frame = 0; frame < n_frames_; frame++)
    {
      if (! chosen_[frame])
        continue;
      Bytes samples = stored (frame);

      pixels_range (&cell_, samples.data (), rows_ * columns_, &low_, &high_);
      if (native_ == nullptr && kept + samples.size () <= KEEP_MAX)
        {
          kept += samples.size ();
          kept_[frame] = std::move (samples);
        }
      records_.progress (0.4 + 0.2 * (double) ++n / (double) n_chosen);
    }
}

/* --- Records of the file -------------------------------------------------- */

/* The stored value, or the range of them, that is none */
void
Picture::add_padding ()
{
  guint16 word;

  if (samples_ == Samples::Integer)
    {
      static const struct
      {
        const char *key;
        Tag         tag;
      } keys[] = { { "padding", Tag (0x0028, 0x0120) },
                   { "padding-limit", Tag (0x0028, 0x0121) } };

      for (const auto &one : keys)
        if (word_of (set_, one.tag, &word))
          records_.line (one.key,
                         std::to_string (cell_.is_signed ? (gint16) word
                                                         : (gint) word));
        else
          return;
    }
  else
    {
      const bool             is_float = samples_ == Samples::Float;
      const gdcm::ByteValue *value =
        bytes_of (set_, is_float ? Tag (0x0028, 0x0122) : Tag (0x0028, 0x0123));
      float  single;
      double number;

      if (value == nullptr || value->GetLength () < (is_float ? 4u : 8u))
        return;
      std::memcpy (&single, value->GetPointer (), sizeof single);
      if (is_float)
        number = single;
      else
        std::memcpy (&number, value->GetPointer (), sizeof number);
      if (std::isfinite (number))
        records_.line ("padding", number_text (number));
    }
}

void
Picture::send_header ()
{
  static const char *const lossy_methods[] = { "ISO_10918_1", "ISO_14495_1",
                                               "ISO_15444_1", "ISO_15444_2" };
  std::string              pixel;
  guint bits = samples_ == Samples::Integer ? cell_.stored : 0;
  gsize n_chosen = 0, n_overlays = 0;

  for (guint8 one : chosen_)
    n_chosen += one;
  if (samples_ != Samples::Integer)
    pixel = samples_ == Samples::Float ? "f32" : "f64";
  else if (color_ == Color::Palette)
    {
      pixel = deep_palette_ ? "rgb16" : "rgb8";
      bits = deep_palette_ ? 16 : 8;
    }
  else if (per_pixel_ == 3)
    pixel = cell_.stored <= 8 ? "rgb8" : "rgb16";
  else if (has_modality_table_)
    {
      pixel = modality_table_.bits <= 8 ? "u8" : "u16";
      bits = modality_table_.bits;
    }
  else
    {
      pixel = cell_.is_signed ? "s" : "u";
      pixel += std::to_string (8 * pixels_sample_size (&cell_));
    }

  records_.line ("isolux-dicom", (guint64) 1);
  records_.line ("pixel", pixel);
  records_.line ("columns", (guint64) columns_);
  records_.line ("rows", (guint64) rows_);
  records_.line ("frames", (guint64) n_frames_);
  records_.line ("chosen", (guint64) n_chosen);
  records_.line ("bits", (guint64) bits);
  if (inverted_)
    records_.line ("inverted", (guint64) 1);
  if (has_range_ && low_ <= high_)
    {
      records_.line ("low", std::to_string (low_));
      records_.line ("high", std::to_string (high_));
    }
  if (color_ == Color::Gray && ! has_modality_table_)
    add_padding ();

  records_.line ("modality", code_of (set_, Tag (0x0008, 0x0060)));
  records_.line ("body-part", code_of (set_, Tag (0x0018, 0x0015)));
  if (syntax_.IsLossy () || code_of (set_, Tag (0x0028, 0x2110)) == "01")
    {
      std::string method = code_of (set_, Tag (0x0028, 0x2114));
      bool        known = false;

      for (const char *one : lossy_methods)
        known |= method == one;
      records_.line ("lossy", known ? method : "unknown");
    }
  else if (color_ != Color::Gray && color_ != Color::Rgb &&
           color_ != Color::Palette)
    records_.line ("converted", "YBR");
  if (code_of (set_, Tag (0x0028, 0x0301)) == "YES")
    records_.line ("burned-in", (guint64) 1);
  for (guint16 group = 0x6000; group <= 0x601e; group += 2)
    n_overlays += set_.FindDataElement (Tag (group, 0x0010));
  records_.line ("overlays", (guint64) n_overlays);
  if (options_.header_only)
    {
      FrameFacts facts = frame_facts (0);

      for (const auto &window : facts.windows)
        records_.pair ("window", window.first, window.second);
    }
  records_.send ();
}

void
Picture::send_frame (gsize frame)
{
  FrameFacts facts = frame_facts (frame);
  Bytes      samples;

  if (frame < kept_.size () && ! kept_[frame].empty ())
    samples.swap (kept_[frame]);
  else
    samples = stored (frame);
  samples = shown (samples);

  records_.line ("frame", (guint64) frame + 1);
  records_.line ("slope", number_text (facts.slope));
  records_.line ("intercept", number_text (facts.intercept));
  records_.line ("unit", facts.unit);
  for (const auto &window : facts.windows)
    records_.pair ("window", window.first, window.second);
  if (! facts.function.empty ())
    records_.line ("function", facts.function);
  if (facts.spacing[0] > 0.0)
    records_.pair ("spacing", facts.spacing[0], facts.spacing[1]);
  records_.send (samples.data (), samples.size ());
}

/* Each plane of each overlay, for the frames that it belongs to: bytes of 0
 * and 1 */
void
Picture::send_overlays ()
{
  for (guint16 group = 0x6000; group <= 0x601e; group += 2)
    {
      const gsize            rows = word_or (set_, Tag (group, 0x0010), 0);
      const gsize            columns = word_or (set_, Tag (group, 0x0011), 0);
      const guint            allocated = word_or (set_, Tag (group, 0x0100), 1);
      const guint            position = word_or (set_, Tag (group, 0x0102), 0);
      const gsize            n = rows * columns;
      const gdcm::ByteValue *value = bytes_of (set_, Tag (group, 0x3000));
      PixelCell              cell = { 1, 1, 0, FALSE };
      const guint8          *cells;
      double                 number;
      gsize                  planes = 1, first = 0;
      bool                   for_all;
      guint16                y = 1, x = 1;

      if (n == 0)
        continue;
      if (decimal_of (set_, Tag (group, 0x0015), &number) && number >= 1.0)
        planes = (gsize) std::min (number, (double) FRAMES_MAX);
      first = word_or (set_, Tag (group, 0x0051), 1) - 1;
      for_all = planes == 1 && ! set_.FindDataElement (Tag (group, 0x0051));
      word_of (set_, Tag (group, 0x0050), &y, 0);
      word_of (set_, Tag (group, 0x0050), &x, 1);

      if (value != nullptr)
        {
          if ((guint64) value->GetLength () < (n * planes + 7) / 8)
            refuse ("overlay");
          cells = (const guint8 *) value->GetPointer ();
        }
      else if (native_ != nullptr && samples_ == Samples::Integer &&
               per_pixel_ == 1 && allocated == cell_.allocated &&
               position < allocated && n == rows_ * columns_)
        {
          /* in bits of the pixels that the samples leave */
          cell.allocated = allocated;
          cell.high = position;
          cells = (const guint8 *) native_->GetPointer ();
          planes = n_frames_;
          first = 0;
          for_all = n_frames_ == 1;
        }
      else
        continue;

      for (gsize plane = 0; plane < planes; plane++)
        {
          const gsize frame = first + plane;
          Bytes       mask (n);

          if (! for_all && (frame >= n_frames_ || ! chosen_[frame]))
            continue;
          pixels_unpack (&cell, cells, (guint64) plane * n, n, mask.data ());
          records_.line ("overlay", (guint64) (group - 0x6000) / 2 + 1);
          if (! for_all)
            records_.line ("frame", (guint64) frame + 1);
          records_.line ("columns", (guint64) columns);
          records_.line ("rows", (guint64) rows);
          records_.line ("x", std::to_string ((gint16) x - 1));
          records_.line ("y", std::to_string ((gint16) y - 1));
          records_.send (mask.data (), mask.size ());
        }
    }
}

/* The elements outside sequences that are no picture, as they stand */
void
Picture::send_tags (const DataSet &set)
{
  for (const gdcm::DataElement &element : set.GetDES ())
    {
      const Tag              tag = element.GetTag ();
      const gdcm::ByteValue *value = element.GetByteValue ();
      std::string            kind = "UN";
      char                   name[16];

      if (value == nullptr || value->GetLength () > TAG_SIZE_MAX ||
          element.GetVR () == gdcm::VR::SQ || tag.GetElement () == 0 ||
          tag.GetGroup () == 0x7fe0 || (tag.GetGroup () & 0xff00) == 0x6000)
        continue;
      if (element.GetVR () != gdcm::VR::INVALID)
        kind = std::string (gdcm::VR::GetVRString (element.GetVR ()), 2);
      std::snprintf (name, sizeof name, "%04x-%04x-", tag.GetGroup (),
                     tag.GetElement ());
      records_.line ("tag", name + kind);
      records_.send (value->GetPointer (), value->GetLength ());
    }
}

/* --- All of it ------------------------------------------------------------ */

bool
say_why_not (const Refusal &why, Records &records)
{
  try
    {
      records.line ("error", why.code);
      records.line ("detail", why.detail.substr (0, 64));
      records.send ();
    }
  catch (...)
    {
      /* nobody listens */
    }
  return false;
}

/*
 * Beginning: what the first bytes say.
 * @is_marked: it begins as DICOM files do
 * @data_set: where a deflated data set would begin, behind the group of
 *   elements that tells its length first; 0 when not told
 * @is_deflated: the name of that transfer syntax is among them
 */
struct Beginning
{
  bool    is_marked = false;
  guint64 data_set = 0;
  bool    is_deflated = false;
  guint64 size = 0;
};

Beginning
look_at (std::istream &stream)
{
  Beginning   beginning;
  std::string head (4096, ' ');
  guint32     length;

  stream.read (&head[0], (std::streamsize) head.size ());
  stream.clear ();
  stream.seekg (0, std::ios::end);
  beginning.size = (guint64) std::max<std::streamoff> (stream.tellg (), 0);
  stream.clear ();
  stream.seekg (0);

  beginning.is_marked = ! head.compare (128, 4, "DICM");
  beginning.is_deflated = head.find ("1.2.840.10008.1.2.1.99") !=
                          std::string::npos;
  std::memcpy (&length, &head[140], sizeof length);
  if (! head.compare (132, 8, std::string ("\2\0\0\0UL\4\0", 8)))
    beginning.data_set = 144 + (guint64) GUINT32_FROM_LE (length);
  return beginning;
}

/* GDCM forgives a deflated data set that ends early, too: does it end as it
 * should? */
bool
deflated_is_whole (std::istream &stream, guint64 data_set)
{
  GZlibDecompressor *inflater =
    g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW);
  GConverterResult result = G_CONVERTER_CONVERTED;
  Bytes            in (1 << 16), out (1 << 18);
  gsize            filled = 0;

  stream.clear ();
  stream.seekg ((std::streamoff) data_set);
  while (result == G_CONVERTER_CONVERTED)
    {
      gsize read, written;

      stream.read ((char *) in.data () + filled,
                   (std::streamsize) (in.size () - filled));
      filled += (gsize) stream.gcount ();
      result = g_converter_convert (G_CONVERTER (inflater), in.data (), filled,
                                    out.data (), out.size (),
                                    G_CONVERTER_NO_FLAGS, &read, &written,
                                    nullptr);
      if (result == G_CONVERTER_CONVERTED)
        {
          std::memmove (in.data (), in.data () + read, filled - read);
          filled -= read;
          if (read == 0 && written == 0)
            break;
        }
    }
  g_object_unref (inflater);
  return result == G_CONVERTER_FINISHED;
}

/* No value of a file is larger than the file, unless it is deflated, which
 * makes at most 1 of 1032 */
void
limit_allocations (const Beginning &beginning)
{
  constexpr guint64 least = 1 << 20;
  guint64           most = beginning.size + least;

  if (beginning.is_deflated)
    most = std::min (beginning.size * 1032, FRAME_MAX) + least;
  allocation_max = (gsize) std::min (2 * most, (guint64) G_MAXSIZE);
}

/* GDCM reads nothing of a file whose transfer syntax it does not know */
bool
parse (gdcm::Reader &reader)
{
  bool done = false;

  try
    {
      done = reader.Read ();
    }
  catch (const std::exception &)
    {
      /* bad_alloc among them: a length that lies */
    }
  allocation_max = G_MAXSIZE;
  if (! done)
    {
      const std::string uid =
        text_of (reader.GetFile ().GetHeader (), Tag (0x0002, 0x0010));

      if (! uid.empty () && gdcm::TransferSyntax::GetTSType (uid.c_str ()) ==
                              gdcm::TransferSyntax::TS_END)
        refuse ("syntax", uid);
    }
  return done;
}

bool
read_stream (std::istream        &stream,
             Ending              &ending,
             const ReaderOptions &options,
             Records             &records)
{
  Beginning beginning;

  gdcm::Trace::DebugOff ();
  gdcm::Trace::WarningOff ();
  gdcm::Trace::ErrorOff ();
  try
    {
      gdcm::Reader reader;

      beginning = look_at (stream);
      ending.is_early = false;
      reader.SetStream (stream);
      limit_allocations (beginning);
      if (! parse (reader))
        refuse (ending.is_early ? "cut-short" : "damaged");
      if (reader.GetFile ().GetHeader ().GetDataSetTransferSyntax () ==
          gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian)
        {
          if (beginning.data_set > 0 &&
              ! deflated_is_whole (stream, beginning.data_set))
            refuse ("cut-short");
        }
      else if (ending.is_early)
        refuse ("cut-short");
      Picture (reader.GetFile (), options, records).run ();
      records.line ("end", (guint64) 1);
      records.send ();
      return true;
    }
  catch (const Deaf &)
    {
      return false;
    }
  catch (const Refusal &why)
    {
      /* GDCM takes nearly anything for a file of old */
      if (! beginning.is_marked &&
          (why.code == "damaged" || why.code == "cut-short" ||
           why.code == "no-picture"))
        return say_why_not (Refusal{ "not-dicom", "" }, records);
      return say_why_not (why, records);
    }
  catch (const std::bad_alloc &)
    {
      return say_why_not (Refusal{ "memory", "" }, records);
    }
  catch (...)
    {
      return say_why_not (Refusal{ beginning.is_marked ? "damaged"
                                                       : "not-dicom",
                                   "" },
                          records);
    }
}

}  // namespace

gboolean
reader_read_file (const gchar         *path,
                  const ReaderOptions *options,
                  ReaderWrite          write,
                  gpointer             data)
{
  Records records (write, data);

  try
    {
      std::ifstream probe (path, std::ios::binary | std::ios::ate);
      FileBuffer    buffer (records, (guint64) probe.tellg ());

      if (! probe || ! buffer.open (path, std::ios::in | std::ios::binary))
        return say_why_not (Refusal{ "cannot-open", std::strerror (errno) },
                            records);
      probe.close ();
      std::istream stream (&buffer);
      return read_stream (stream, buffer, *options, records);
    }
  catch (...)
    {
      return say_why_not (Refusal{ "cannot-open", "" }, records);
    }
}

gboolean
reader_read_memory (gconstpointer        bytes,
                    gsize                n,
                    const ReaderOptions *options,
                    ReaderWrite          write,
                    gpointer             data)
{
  Records records (write, data);

  try
    {
      MemoryBuffer buffer (bytes, n);
      std::istream stream (&buffer);

      return read_stream (stream, buffer, *options, records);
    }
  catch (...)
    {
      return FALSE;
    }
}
